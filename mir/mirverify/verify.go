package mirverify

import "github.com/mirin-go/mirin/mir"

// Options control Verify.
type Options struct{ Banner string }

// Report is what Verify found.
type Report struct{ Errors []Error }

// Error is one fault.
type Error struct{ Msg string }

// Verify checks a function.
func Verify(f *mir.Function, o Options) *Report { return &Report{} }

// AppendText appends the report.
func (r *Report) AppendText(b []byte) []byte { return b }
