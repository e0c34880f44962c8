// The container of the fact files: numbered sections of little-endian columns.
// The layout is documented in desc/facts/doc.go; keep both in step.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/ErrorHandling.h"
#include <cstdint>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

namespace facts {

// Bytes of one section; integers go in little-endian.
struct Buf {
  std::vector<uint8_t> B;
  template <typename T> void put(T V) {
    using U = std::make_unsigned_t<T>;
    U X = static_cast<U>(V);
    for (size_t I = 0; I < sizeof(T); ++I) {
      B.push_back(static_cast<uint8_t>(X));
      if constexpr (sizeof(T) > 1)
        X >>= 8;
    }
  }
  void u8(uint64_t V) { check(V, 0xff); put(uint8_t(V)); }
  void u16(uint64_t V) { check(V, 0xffff); put(uint16_t(V)); }
  void u32(uint64_t V) { check(V, 0xffffffff); put(uint32_t(V)); }
  void u64(uint64_t V) { put(V); }
  void i16(int64_t V) {
    if (V < -32768 || V > 32767)
      llvm::report_fatal_error("value does not fit into int16");
    put(int16_t(V));
  }
  template <typename T> void array(const std::vector<T> &V) {
    u32(V.size());
    for (T X : V)
      put(X);
  }
  static void check(uint64_t V, uint64_t Max) {
    if (V > Max)
      llvm::report_fatal_error("value does not fit into its column");
  }
};

// A pool of lists that keeps each different list once.
template <typename T> struct Pool {
  std::vector<T> Data;
  std::map<std::vector<T>, uint32_t> Seen;
  uint32_t add(const std::vector<T> &V) {
    if (V.empty())
      return 0;
    auto [It, New] = Seen.try_emplace(V, Data.size());
    if (New)
      Data.insert(Data.end(), V.begin(), V.end());
    return It->second;
  }
};

// The blob of names; a name is offset<<9 | length.
struct Names {
  static constexpr unsigned LenBits = 9, MaxLen = (1u << LenBits) - 1;
  std::string Blob;
  std::map<std::string, uint32_t> Seen;
  uint32_t add(llvm::StringRef S) {
    S = S.take_front(MaxLen);
    auto [It, New] = Seen.try_emplace(S.str(), uint32_t(Blob.size()) << LenBits | S.size());
    if (New)
      Blob += S.str();
    return S.empty() ? 0 : It->second;
  }
  // Appends without sharing, for tables whose names lie in row order.
  size_t append(llvm::StringRef S) {
    if (S.size() > MaxLen || Blob.size() >> (32 - LenBits))
      llvm::report_fatal_error("name is too long");
    Seen.try_emplace(S.str(), uint32_t(Blob.size()) << LenBits | S.size());
    Blob += S.str();
    return S.size();
  }
};

enum Section : uint16_t {
  SecMeta = 1, SecNames, SecInstrs, SecOpInfos, SecImplicit, SecRegs, SecRegDiffs,
  SecLaneLists, SecRegLists, SecUnits, SecSubRegs, SecSubIdxLists, SecCompose,
  SecLaneOps, SecLaneOpStart, SecClasses, SecClassBits, SecSubClasses,
  SecSubClassIdx, SecTypeLists, SecModes, SecClassSizes, SecClassByMode, SecBanks,
  SecRegMasks, SecRegMaskBits, SecDwarf, SecSaved, SecDirectFlags, SecBitFlags,
  SecMemFlags, SecTargetIndices, SecFeatures, SecProcessors, SecFeatureBits,
  SecOpcodeHash, SecRegHash, SecWasAsm, SecPressure, SecVariants, SecFolds,
  SecSched, // machine models, read when a pass asks
  SecCommutes, SecCommuteMaps, SecTraits, SecTraitRows,
};

// Tables that Mirin decodes when they are first asked for, which few runs do.
inline bool decodedOnDemand(uint16_t ID) {
  switch (ID) {
  case SecLaneLists: case SecRegLists: case SecCompose: case SecClassBits:
  case SecSubClasses: case SecSubClassIdx: case SecRegMaskBits: case SecFolds:
  case SecCommutes: case SecCommuteMaps:
    return true;
  }
  return false;
}

// Collects sections and writes the file.
struct File {
  struct Entry {
    uint16_t ID;
    Buf Data;
  };
  std::vector<Entry> Sections;
  void add(uint16_t ID, Buf Data) { Sections.push_back({ID, std::move(Data)}); }
  // Large sections that are decoded on demand are deflated. All others are read
  // where they lie, since decoding is part of the start of every run.
  std::vector<uint8_t> write() const {
    Buf Head, Body;
    for (char C : {'m', 'i', 'r', 'f'})
      Head.u8(C);
    Head.u16(1); // version
    Head.u16(Sections.size());
    size_t Off = 8 + 16 * Sections.size();
    for (const Entry &E : Sections) {
      llvm::SmallVector<uint8_t, 0> Z;
      llvm::ArrayRef<uint8_t> Out = E.Data.B;
      bool Deflate = decodedOnDemand(E.ID) && Out.size() > 64 * 1024;
      if (Deflate) {
        llvm::compression::zlib::compress(Out, Z, 9);
        Deflate = Z.size() < Out.size();
        if (Deflate)
          Out = Z;
      }
      Head.u16(E.ID);
      Head.u16(Deflate);
      Head.u32(Off + Body.B.size());
      Head.u32(Out.size());
      Head.u32(E.Data.B.size());
      Body.B.insert(Body.B.end(), Out.begin(), Out.end());
    }
    Head.B.insert(Head.B.end(), Body.B.begin(), Body.B.end());
    return Head.B;
  }
};

// An open-addressing table of row numbers keyed by FNV-1a of the name (reduced
// by the table size, a power of two), 0xffff where empty, linear probing.
inline std::vector<uint16_t> hashTable(const std::vector<std::string> &Keys) {
  size_t N = 4;
  while (N * 3 < Keys.size() * 4)
    N *= 2;
  std::vector<uint16_t> T(N, 0xffff);
  for (size_t I = 0; I < Keys.size(); ++I) {
    uint32_t H = 2166136261u;
    for (unsigned char C : Keys[I])
      H = (H ^ C) * 16777619u;
    size_t At = (H ^ H >> 16) & (N - 1);
    while (T[At] != 0xffff)
      At = (At + 1) & (N - 1);
    T[At] = I;
  }
  return T;
}

} // namespace facts
