package mirtext

// node is a value of a MIR file's YAML: scalars, flow and block collections,
// block scalars.
type node struct {
	kind nodeKind
	// off and end are its place in the file. A collection in brackets begins at
	// what stands in them, as messages of LLVM have it.
	off, end int
	// text is the value of a scalar. A block scalar has none: its lines are src[off:end], indentation included.
	text  string
	keys  []keyNode // of a mapping
	items []node    // values of a mapping, elements of a sequence
}

// keyNode is a key of a mapping.
type keyNode struct {
	text string
	off  int
}

type nodeKind uint8

const (
	nullNode nodeKind = iota
	scalarNode
	mapNode
	seqNode
	blockNode // block scalar
)

// get returns the value of a key, nil when it is absent.
func (n *node) get(key string) *node {
	for i := range n.keys {
		if n.keys[i].text == key {
			return &n.items[i]
		}
	}
	return nil
}

// document is one YAML document of a file.
type document struct {
	start int
	root  node
}
