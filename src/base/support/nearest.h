// The nearest valid spelling of a mistyped word, for "did you mean …?".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mete {

// Number of edits (insert, delete, replace, swap of neighbours) between two
// words. A difference in letter case costs a fraction of an edit.
double EditDistance(std::string_view from, std::string_view to);

// The candidate with the fewest edits. Absent when even that one needs more
// edits than a third of the longer word (one edit is always allowed).
std::optional<std::string> Nearest(std::string_view word,
                                   const std::vector<std::string>& candidates);

// "; did you mean '--threads'?", or "" when no candidate is near.
std::string DidYouMean(std::string_view word,
                       const std::vector<std::string>& candidates);

}  // namespace mete
