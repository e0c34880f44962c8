package tablegen

// Options says where included files come from and what is known beforehand.
type Options struct {
	// IncludeDirs are searched in order after the folder-less name itself.
	IncludeDirs []string
	// Defines are the names of preprocessor macros that are defined.
	Defines []string
	// ReadFile reads an included file; nil makes every include an error.
	ReadFile func(path string) ([]byte, error)
	// Prelude may add classes and definitions before the first statement.
	Prelude func(*Records)
	// LazyDef is asked about a name that no definition has; what it returns
	// becomes a definition.
	LazyDef func(name string) (LazyRecord, bool)
	// Dump receives the lines of dump statements; nil drops them.
	Dump func(text string)
	// MaxSteps bounds the work of evaluation; 0 takes a generous default.
	MaxSteps int
}
