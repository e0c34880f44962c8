module github.com/mirin-go/mirin

go 1.26.0

require github.com/ebitengine/purego v0.11.3

require (
	golang.org/x/sys v0.47.0
	golang.org/x/term v0.45.0 // indirect
	mvdan.cc/sh/v3 v3.14.1
)
