// Package irsummary makes what ThinLTO wants to know of a module without
// reading its bodies: an [ir.Summary] with the calls, references and flags of
// every function, variable and alias, as LLVM's module summary analysis does.
//
// Build walks the functions in order; each is summarised on its own. Hotness of
// calls comes from profiles in the metadata and from block frequencies.
// NameAnonymous gives names to globals without one, which a summary cannot have.
//
// Left out: how far functions reach behind their parameters (the params of a
// summary, from LLVM's stack safety analysis), relative vtables, symbols that module
// assembly defines, and profiles of memory. Relative block frequencies are computed in
// floating point and may differ from LLVM's by one in the last place.
//
// Package irsummary imports analysis, ir and ir/iranalysis.
package irsummary
