package tablegen

type tokenKind uint8

const (
	tokEOF tokenKind = iota
	tokError
	tokID
	tokInt     // value in token.num
	tokBinInt  // 0b…: value in token.num, width in token.width
	tokString  // value in token.text
	tokCode    // [{ … }]
	tokVarName // $name, token.text without the $
	tokOp      // !name, token.op
	tokMinus
	tokPlus
	tokLSquare
	tokRSquare
	tokLBrace
	tokRBrace
	tokLParen
	tokRParen
	tokLess
	tokGreater
	tokColon
	tokSemi
	tokComma
	tokDot
	tokDotDotDot
	tokEqual
	tokQuestion
	tokPaste
	tokAssert
	tokBit
	tokBits
	tokClass
	tokCodeWord
	tokDag
	tokDef
	tokDefm
	tokDefset
	tokDeftype
	tokDefvar
	tokDump
	tokElse
	tokFalse
	tokField
	tokForeach
	tokIf
	tokIn
	tokInclude
	tokIntWord
	tokLet
	tokList
	tokMulticlass
	tokStringWord
	tokThen
	tokTrue
)

// keyword returns the token kind of a word: tokID where it is no keyword.
func keyword(s string) tokenKind {
	switch s {
	case "assert":
		return tokAssert
	case "bit":
		return tokBit
	case "bits":
		return tokBits
	case "class":
		return tokClass
	case "code":
		return tokCodeWord
	case "dag":
		return tokDag
	case "def":
		return tokDef
	case "defm":
		return tokDefm
	case "defset":
		return tokDefset
	case "deftype":
		return tokDeftype
	case "defvar":
		return tokDefvar
	case "dump":
		return tokDump
	case "else":
		return tokElse
	case "false":
		return tokFalse
	case "field":
		return tokField
	case "foreach":
		return tokForeach
	case "if":
		return tokIf
	case "in":
		return tokIn
	case "include":
		return tokInclude
	case "int":
		return tokIntWord
	case "let":
		return tokLet
	case "list":
		return tokList
	case "multiclass":
		return tokMulticlass
	case "string":
		return tokStringWord
	case "then":
		return tokThen
	case "true":
		return tokTrue
	}
	return tokID
}

// token is one token; text is the word, the string's value or the code.
type token struct {
	kind  tokenKind
	op    Op
	width int32
	off   int32
	num   int64
	text  string
}
