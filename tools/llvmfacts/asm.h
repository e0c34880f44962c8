#pragma once
#include "families.h"
#include "writer.h"
#include "llvm/MC/MCInstrInfo.h"

namespace facts {
// Fills the section of assembly templates; false when the family has none.
bool asmTable(const Family &F, const llvm::MCInstrInfo &MII, Buf &Out);
} // namespace facts
