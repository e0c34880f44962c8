// Package editdistance counts the letters in which two words differ, for "did you
// mean". It imports the standard library only.
package editdistance
