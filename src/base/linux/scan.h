// Scans the text of /proc and /sys without copying, for files that are read
// many times a second.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace mete {

// All results are views into the scanned text.

// Removes the first line from `rest` and returns it without its line end;
// absent when nothing is left.
std::optional<std::string_view> TakeLine(std::string_view& rest);

// Fills `words` from the front of `text` and returns how many were found, at
// most words.size(). Words are separated by blanks, tabs and line ends.
size_t FirstWords(std::string_view text, std::span<std::string_view> words);

// The value of the first line "key : value" or "key=value" with that key;
// absent when there is none or it is empty.
std::optional<std::string_view> FindField(std::string_view text,
                                          std::string_view key, char separator);

}  // namespace mete
