//go:build !unix

package main

import "fmt"

func main() { fmt.Println("compare needs a Unix system: it reads resource usage") }
