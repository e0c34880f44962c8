package tablegen

// Op is a bang operator, or one of the suffixes and constructs that are
// treated as operators.
type Op uint8

// The operators, in alphabetical order but for those without a name.
const (
	opNone Op = iota
	OpAdd
	OpAnd
	OpCast
	OpCon
	OpConcat
	OpCond
	OpDag
	OpDiv
	OpEmpty
	OpEq
	OpExists
	OpFilter
	OpFind
	OpFoldl
	OpForeach
	OpGe
	OpGetDagArg
	OpGetDagName
	OpGetDagOp
	OpGetDagOpName
	OpGt
	OpHead
	OpIf
	OpInitialized
	OpInstances
	OpInterleave
	OpIsa
	OpLe
	OpListConcat
	OpListFlatten
	OpListRemove
	OpListSplat
	OpLogTwo
	OpLt
	OpMatch
	OpMul
	OpNe
	OpNot
	OpOr
	OpRange
	OpRepr
	OpSetDagArg
	OpSetDagName
	OpSetDagOp
	OpSetDagOpName
	OpShl
	OpSize
	OpSra
	OpSrl
	OpStrConcat
	OpSub
	OpSubst
	OpSubstr
	OpTail
	OpToLower
	OpToUpper
	OpXor
	// OpListElem is list[i], OpListSlice list[i, j], OpRangeClosed i...j
	// within such a slice.
	OpListElem
	OpListSlice
	OpRangeClosed
	numOps
)

var opNames = [numOps]string{
	OpAdd: "add", OpAnd: "and", OpCast: "cast", OpCon: "con", OpConcat: "concat", OpCond: "cond",
	OpDag: "dag", OpDiv: "div", OpEmpty: "empty", OpEq: "eq", OpExists: "exists", OpFilter: "filter",
	OpFind: "find", OpFoldl: "foldl", OpForeach: "foreach", OpGe: "ge", OpGetDagArg: "getdagarg",
	OpGetDagName: "getdagname", OpGetDagOp: "getdagop", OpGetDagOpName: "getdagopname", OpGt: "gt",
	OpHead: "head", OpIf: "if", OpInitialized: "initialized", OpInstances: "instances",
	OpInterleave: "interleave", OpIsa: "isa", OpLe: "le", OpListConcat: "listconcat",
	OpListFlatten: "listflatten", OpListRemove: "listremove", OpListSplat: "listsplat",
	OpLogTwo: "logtwo", OpLt: "lt", OpMatch: "match", OpMul: "mul", OpNe: "ne", OpNot: "not", OpOr: "or",
	OpRange: "range", OpRepr: "repr", OpSetDagArg: "setdagarg", OpSetDagName: "setdagname",
	OpSetDagOp: "setdagop", OpSetDagOpName: "setdagopname", OpShl: "shl", OpSize: "size", OpSra: "sra",
	OpSrl: "srl", OpStrConcat: "strconcat", OpSub: "sub", OpSubst: "subst", OpSubstr: "substr",
	OpTail: "tail", OpToLower: "tolower", OpToUpper: "toupper", OpXor: "xor",
}

// String returns the operator as written, "!add"; "" for a suffix.
func (o Op) String() string {
	if opNames[o] == "" {
		return ""
	}
	return "!" + opNames[o]
}

// opByName finds the operator of that name, which stands without the "!".
func opByName(name string) Op {
	lo, hi := OpAdd, OpListElem
	for lo < hi {
		m := (lo + hi) / 2
		if opNames[m] < name {
			lo = m + 1
		} else {
			hi = m
		}
	}
	if lo < OpListElem && opNames[lo] == name {
		return lo
	}
	return opNone
}
