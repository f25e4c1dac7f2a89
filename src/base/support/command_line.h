// Splits a line into words as a shell does, and joins words so that a shell
// would split them the same way.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace mete {

// Blanks separate words; '…' quotes everything, "…" everything except \" and
// \\, and a backslash the next character. Nothing is expanded. Fails with
// kInvalidInput when a quote is not closed.
Result<std::vector<std::string>> SplitCommandLine(std::string_view text);

// Quotes words where necessary.
std::string JoinCommandLine(const std::vector<std::string>& arguments);

}  // namespace mete
