// Package all lists the targets, for commands and tests; a program that embeds
// one target imports that one alone.
package all
