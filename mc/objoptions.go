package mc

// ObjectOptions are what whoever makes an object may ask for.
type ObjectOptions struct {
	// LargeCode has frames refer to functions by 8 bytes.
	LargeCode bool
	// RelaxAll makes all instructions long that may have to be.
	RelaxAll bool
	// NoExecStack has the object begin with the section that says so.
	NoExecStack bool
	// Crel writes relocations in the compact format.
	Crel bool
}

// SetOptions says how the object is made, before anything is said to the streamer.
func (o *ObjectStreamer) SetOptions(p ObjectOptions) { o.opts = p }
