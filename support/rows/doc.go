// Package rows gives side tables their rows: a slice by number of block, register
// or instruction, which is made for each function and whose memory is kept between
// functions.
//
//	Zeroed   n rows, all zero
//	Sized    n rows, whatever they held: for tables that are written whole
//	AtLeast  what is there, with zero rows behind it until there are n
//
// Memory is taken with a quarter to spare, so that functions of growing size do
// not each take some anew.
package rows
