module github.com/mirin-go/mirin

go 1.26.0

require github.com/ebitengine/purego v0.11.3

require mvdan.cc/sh/v3 v3.14.1 // indirect
