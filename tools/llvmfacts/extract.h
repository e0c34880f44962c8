#pragma once
#include "families.h"
#include "writer.h"
#include <string>
#include <vector>

namespace facts {
// The bytes of a family's fact file, or an error.
std::vector<uint8_t> extract(const Family &F, std::string &Error);
} // namespace facts
