// Package outfile writes the files that commands make: whole or not at all, as a
// shell's redirection would leave them. A new file has the mode that the umask
// gives; one that is there keeps its mode, owner, links to it and the links that
// led to it. Devices and pipes are written as they are.
//
// Data is written beside the file and then put in its place, where the folder allows
// that, on Linux without a name until it is complete, so that a killed process
// leaves nothing behind. A file with several names, or in a folder that may not be
// written, is overwritten.
package outfile
