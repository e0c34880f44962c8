// Package tailduplicate copies short blocks into the blocks before them, so that
// these need not jump there: what the passes early-tailduplication,
// tailduplication and block-placement share. It imports codegen/pass and below.
package tailduplicate
