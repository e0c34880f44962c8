// Which targets are extracted, and through which subtargets.
#pragma once
#include <vector>

namespace facts {

// A subtarget to look through. The first one of a family gives everything that
// does not depend on the hardware mode; the others add modes and DWARF numbers.
struct Variant {
  const char *Triple;
  const char *CPU;
  const char *Features;
};

struct Family {
  const char *Name; // LLVM's directory name of the back end
  const char *File; // zz_<File>.bin
  std::vector<Variant> Variants;
};

inline const std::vector<Family> &families() {
  static const std::vector<Family> F = {
      {"X86", "x86",
       {{"x86_64-unknown-linux-gnu", "", ""},
        {"i386-unknown-linux-gnu", "", ""},
        {"x86_64-unknown-linux-gnux32", "", ""},
        {"i386-apple-darwin", "", ""},
        {"x86_64-unknown-linux-gnu", "", "+egpr"},
        {"x86_64-pc-windows-msvc", "", ""}}},
      {"AArch64", "aarch64",
       {{"aarch64-unknown-linux-gnu", "", ""}, {"arm64_32-apple-watchos", "", ""},
        {"aarch64-unknown-linux-gnu", "", "+sve,+sme"}}},
      {"AMDGPU", "amdgpu",
       {{"amdgcn-amd-amdhsa", "gfx900", ""}, {"amdgcn-amd-amdhsa", "gfx90a", ""},
        {"amdgcn-amd-amdhsa", "gfx942", ""}, {"amdgcn-amd-amdhsa", "gfx950", ""},
        {"amdgcn-amd-amdhsa", "gfx1030", ""}, {"amdgcn-amd-amdhsa", "gfx1030", "+wavefrontsize64"},
        {"amdgcn-amd-amdhsa", "gfx1100", ""}, {"amdgcn-amd-amdhsa", "gfx1200", ""},
        {"amdgcn-amd-amdhsa", "gfx1250", ""}, {"amdgcn-amd-amdhsa", "gfx600", ""}}},
      {"R600", "r600", {{"r600-unknown-unknown", "", ""}}},
      {"ARM", "arm",
       {{"armv7-unknown-linux-gnueabihf", "", ""}, {"thumbv7m-none-eabi", "", ""},
        {"thumbv6m-none-eabi", "", ""}}},
      {"AVR", "avr", {{"avr-unknown-unknown", "atmega328p", ""}}},
      {"BPF", "bpf", {{"bpfel-unknown-none", "", ""}, {"bpfel-unknown-none", "v4", ""}}},
      {"Hexagon", "hexagon",
       {{"hexagon-unknown-linux-musl", "hexagonv68", "+hvxv68,+hvx-length64b"},
        {"hexagon-unknown-linux-musl", "hexagonv68", "+hvxv68,+hvx-length128b"}}},
      {"Lanai", "lanai", {{"lanai-unknown-unknown", "", ""}}},
      {"LoongArch", "loongarch",
       {{"loongarch64-unknown-linux-gnu", "", ""}, {"loongarch32-unknown-linux-gnu", "", ""}}},
      {"M68k", "m68k", {{"m68k-unknown-linux-gnu", "", ""}}},
      {"Mips", "mips",
       {{"mips64el-unknown-linux-gnuabi64", "", ""}, {"mipsel-unknown-linux-gnu", "", ""},
        {"mipsel-unknown-linux-gnu", "", "+mips16"}, {"mipsel-unknown-linux-gnu", "mips32r6", "+micromips"}}},
      {"MSP430", "msp430", {{"msp430-unknown-elf", "", ""}}},
      {"NVPTX", "nvptx", {{"nvptx64-nvidia-cuda", "", ""}, {"nvptx-nvidia-cuda", "", ""}}},
      {"PowerPC", "ppc",
       {{"powerpc64le-unknown-linux-gnu", "", ""}, {"powerpc-unknown-linux-gnu", "", ""},
        {"powerpc-unknown-linux-gnuspe", "", "+spe"}, {"powerpc64-ibm-aix", "", ""}}},
      {"RISCV", "riscv",
       {{"riscv64-unknown-linux-gnu", "", ""}, {"riscv32-unknown-linux-gnu", "", ""},
        {"riscv64-unknown-linux-gnu", "", "+v"}, {"riscv32-unknown-linux-gnu", "", "+zilsd"},
        {"riscv64-unknown-linux-gnu", "", "+e"}}},
      {"Sparc", "sparc", {{"sparcv9-unknown-linux-gnu", "", ""}, {"sparc-unknown-linux-gnu", "", ""}}},
      {"SPIRV", "spirv", {{"spirv64-unknown-unknown", "", ""}, {"spirv-unknown-vulkan1.3-compute", "", ""}}},
      {"SystemZ", "systemz", {{"s390x-unknown-linux-gnu", "", ""}}},
      {"VE", "ve", {{"ve-unknown-linux-gnu", "", ""}}},
      {"WebAssembly", "wasm", {{"wasm32-unknown-unknown", "", ""}, {"wasm64-unknown-unknown", "", ""}}},
      {"XCore", "xcore", {{"xcore-unknown-unknown", "", ""}}},
      {"Xtensa", "xtensa", {{"xtensa-unknown-unknown", "", ""}}},
  };
  return F;
}

} // namespace facts
