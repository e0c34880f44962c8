// Package regbank holds what a target says about its register banks: what one
// register of a bank holds, what copies between banks cost, and for each generic
// opcode the mappings of its operands to banks with their costs, LLVM's
// RegisterBankInfo as data.
//
// A target writes mappings with a Builder; its Table is rows without pointers. A
// Mapping names the bank of each operand; a value wider than a register of its
// bank lies in several, the PartialMappings of its ValueMapping, which follow
// from the type (Table.Break). The first mapping of an opcode is the default
// one. From an opcode's mappings the table derives what each operand wishes
// (Wish): a bank, to be where others are, or nothing. codegen/globalisel's
// regbankselect gives registers banks by these.
//
// The package imports desc, ir and mir.
package regbank
