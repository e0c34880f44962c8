// Package mirgraph draws the control-flow graph of a machine function.
//
// [New] takes what is shown from the function (graph.go): blocks with their
// instructions as text, edges with probabilities, loops. [Graph.AppendDot]
// writes it for Graphviz (dot.go); [Graph.AppendSVG] draws it itself: layout.go
// puts blocks into ranks and finds their places, svg.go writes the picture,
// which needs no script, follows the reader's light or dark scheme, and whose
// text can be selected.
//
// Output depends on the function alone. It imports mir, mir/mirtext, analysis and
// support/lazyregexp.
package mirgraph
