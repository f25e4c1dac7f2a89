// A line split into words as a shell would, and joined so that it could be
// typed again.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace mete {

// Blanks separate; '…' keeps everything, "…" everything but \" and \\, and a
// backslash the next character. Nothing is expanded. Fails with kInvalidInput
// when a quote is not closed.
Result<std::vector<std::string>> SplitWords(std::string_view text);

// Quotes the words that need it.
std::string JoinWords(const std::vector<std::string>& words);

}  // namespace mete
