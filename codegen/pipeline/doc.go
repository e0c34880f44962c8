// Package pipeline lists the passes of each optimization level in order, and
// finds passes by name for -run-pass. It is the one place that knows the
// order; a test holds the list to the order rules beside it.
package pipeline
