package x86

import (
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/target"
)

var DevTarget = target.Target{
	Name: "x86-64", FactsName: "X86", Facts: facts.X86,
	DataLayout: func(target.Triple) string {
		return "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
	},
	DefaultCPU: "x86-64",
	ISel:       target.ISelHooks{Selector: selector, RegBanks: regBankInfo},
}
