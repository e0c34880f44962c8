// Package stamped has a hash table that is emptied at no cost, for tables that a pass
// fills again for each block or function: emptying a map of Go's walks over all the
// room that the largest of them needed.
package stamped
