// Walks through the text of /proc and /sys without copying it, for what is
// read many times a second.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace mete {

// All results are views into the text they were found in.

// Cuts the first line off `rest`, without its end; absent when nothing is left.
std::optional<std::string_view> TakeLine(std::string_view& rest);

// Fills `words` from the front of `text`; how many were found, at most
// words.size(). Words stand between blanks, tabs and line ends.
size_t FirstWords(std::string_view text, std::span<std::string_view> words);

// "key : value" or "key=value" of the first line with that key; absent when
// there is none or its value is empty.
std::optional<std::string_view> FindField(std::string_view text,
                                          std::string_view key, char separator);

}  // namespace mete
