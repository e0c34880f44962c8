// Package layout holds the passes that decide about blocks after register
// allocation: branch-folder removes unreachable and empty blocks and needless
// branches. A pass a file; the package imports codegen/pass and below.
package layout
