#include "asm.h"

namespace facts {
bool asmTable(const Family &, const llvm::MCInstrInfo &, Buf &) { return false; }
} // namespace facts
