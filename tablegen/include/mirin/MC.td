//===- MC.td - what the machine code layer wants to know of operands -------===//
//
// Part of Mirin. LLVM's classes leave ranges of immediates and fixups to C++;
// an operand that derives from the classes here needs no functions for them.
// See docs/tablegen/emitter.md.
//
//===----------------------------------------------------------------------===//

#ifndef MIRIN_MC_TD
#define MIRIN_MC_TD

// How the value of an expression goes into the field of an operand.
class MCFixup<int reloc, bit pcrel = 0> {
  int Reloc = reloc;     // relocation type in objects, 0: none
  bit PCRel = pcrel;
  int Base = 0;          // added to the distance from the start of the instruction
  int Add = 0;           // added to the value, …
  int Drop = 0;          // … of which so many low bits are then dropped unseen
  int Bits = -1;         // bits of the value after that; -1: as the operand has it
  bit Signed = ?;        // unset: as the operand has it
  bit Wrap = 0;          // the low Bits bits are taken without a look at the others
}

// A field holds multiples of 1<<shift; shifted they fit width bits.
//
//   def simm16 : Operand<i32>, ImmFormat<16, /*signed=*/1>;
class ImmFormat<int width, bit signed = 0, int shift = 0> {
  int ImmBits = width;
  bit ImmSigned = signed;
  int ImmShift = shift;
  bit ImmEither = 0;     // signed ones: unsigned values of that width are taken too
  MCFixup ImmFixup = ?;  // what becomes of symbols; unset: there are none
}

// The order of bytes in instructions: little-endian where there is no such record.
class MCByteOrder<bit big> { bit BigEndian = big; }

// Encodings without a fixed length are dags of these:
//   dag Inst = (descend 0b0101, (operand "$rd", 4), (slice "$imm", 15, 0));
#ifdef MIRIN_TARGET_TD
def ascend; def descend; def slice; def encoder; def decoder; def operand;
#endif

#endif
