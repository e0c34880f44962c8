package mctarget

import "github.com/mirin-go/mirin/mc/table"

// syntaxes are the operand languages of targets whose parser is made of tables, as
// far as they are beside these; by LLVM's name of the back end.
var syntaxes = map[string]table.Syntax{
	"AArch64":   {Hash: true},
	"ARM":       {Hash: true},
	"PowerPC":   {RegPrefixes: "%"},
	"SystemZ":   {RegPrefixes: "%"},
	"Sparc":     {RegPrefixes: "%"},
	"VE":        {RegPrefixes: "%"},
	"M68k":      {RegPrefixes: "%", Hash: true},
	"Mips":      {RegPrefixes: "$"},
	"LoongArch": {RegPrefixes: "$"},
}

// Syntax gives a target's, without what its hooks add.
func Syntax(name string) table.Syntax { return syntaxes[name] }

func (t *Target) syntax() table.Syntax {
	y := Syntax(t.Info.Target)
	y.Expand, y.Again = t.hooks.Expand, t.hooks.Again
	return y
}
