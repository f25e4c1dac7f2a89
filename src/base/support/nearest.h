// The nearest valid spelling of a mistyped word, for "did you mean …?".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mete {

// Edits (insert, delete, replace, swap of neighbours) from one word to the
// other, letter case ignored at a fraction of an edit's cost.
double EditDistance(std::string_view from, std::string_view to);

// The candidate with the fewest edits, unless even that one is far off (more
// than a third of the longer word, and at least one edit is always allowed).
std::optional<std::string> Nearest(std::string_view word,
                                   const std::vector<std::string>& candidates);

// "; did you mean '--threads'?", or "" when nothing is near.
std::string DidYouMean(std::string_view word,
                       const std::vector<std::string>& candidates);

}  // namespace mete
