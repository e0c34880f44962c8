#pragma once
#include "families.h"
#include "writer.h"
#include "llvm/MC/MCSchedule.h"

namespace facts {
// The section of machine models: Models as processors number them, and which of
// them (or which other one) each of the family's variants takes by default.
Buf schedTable(const Family &F, std::vector<const llvm::MCSchedModel *> Models,
               const std::vector<const llvm::MCSchedModel *> &Defaults);
} // namespace facts
