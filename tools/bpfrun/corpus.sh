#!/usr/bin/env bash
# corpus.sh DIR: programs of eBPF's users as LLVM IR, for bpfrun -root DIR. They are the C sources of the
# tests and examples in the Go module cilium/ebpf that this tool uses, compiled by clang 22 for each
# version of the instruction set; what needs headers that are not there is left out. Nothing is kept
# in the project: the sources have licences of their own.
set -euo pipefail
out=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "$0")"
clang=${CLANG:-clang-22}
src=$(go list -m -f '{{.Dir}}' github.com/cilium/ebpf)
made=0 left=0
while read -r f; do
	name=$(realpath --relative-to="$src" "$f" | tr / _)
	for cpu in v1 v2 v3 v4; do
		if "$clang" -target bpfel -mcpu=$cpu -O2 -g -Wno-everything -D__TARGET_ARCH_x86 -I"$src/examples/headers" -I"$src/testdata" -I"$(dirname "$f")" \
			-fdebug-prefix-map="$src"=. -S -emit-llvm "$f" -o "$out/${name%.c}.$cpu.ll" 2>/dev/null; then
			made=$((made + 1))
		else
			left=$((left + 1))
		fi
	done
done < <(find "$src" -name '*.c' | sort)
echo "$made modules in $out, $left not compiled"
