// What Mirin adds to LLVM's language of patterns: results in several steps,
// fixed registers in them, and conditions of comparisons by table. It works with
// llvm/Target/Target.td too. docs/tablegen/global-isel.md describes it.

#ifndef MIRIN_SEQUENCE_TD
#define MIRIN_SEQUENCE_TD

// Steps in order; a name on a step stands for its value in the steps behind it.
// The value is that of the last step. (set REG, value) is a step that copies
// into a register.
class ResultOperator;
def Seq : ResultOperator;
def get : ResultOperator;      // (get REG): a copy of a register
def results : ResultOperator;  // as the last step, the values of the root by name; none: nobody reads them

// Conditions that an instruction can test, with the number of each. In a result
// the map (or another with the same conditions) gives the number.
class CondMap<list<CondCode> codes, list<int> values> : PatLeaf<(cond)> {
  list<CondCode> Codes = codes;
  list<int> Values = values;
}

// What a table needs besides patterns. Without such a record instructions may
// read any register, as in LLVM.
class SelectionInfo {
  list<Register> Ambient = [];       // may be read by instructions without being set
  list<ValueType> Types = [];        // Types[i] lives in Classes[i]
  list<RegisterClass> Classes = [];
}

#endif
