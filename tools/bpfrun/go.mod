module github.com/mirin-go/mirin/tools/bpfrun

go 1.26.0

require (
	github.com/cilium/ebpf v0.22.0
	github.com/mirin-go/mirin v0.0.0
)

require golang.org/x/sys v0.47.0 // indirect

replace github.com/mirin-go/mirin => ../..
