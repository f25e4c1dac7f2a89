// Text for people on a terminal: widths, shortening and wrapping that respect
// UTF-8.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mete {

// Columns on a terminal, every character counted as one.
size_t WidthOf(std::string_view text);

// Bytes of the UTF-8 character a text begins with; 0 when it begins with none.
// Overlong forms of ASCII characters are none: they must not slip through.
size_t CharacterLength(std::string_view text);

// A stranger's text: at most so many bytes of it, and what is not UTF-8 as
// U+FFFD.
std::string Tame(std::string_view text, size_t most_bytes);

// "features…/conv" for a text of more than `width` characters: names keep
// their beginning and their end, where versions stand.
std::string ShortenMiddle(const std::string& text, size_t width);

// Lines of at most `width` characters, broken at blanks; a word that is longer
// is cut.
std::vector<std::string> WrapLines(const std::string& text, size_t width);

// The same for a terminal of 80 columns, each line with its end.
std::string Wrapped(const std::string& text);

// The parts between separators, empty ones included: one more than there are
// separators.
std::vector<std::string> SplitAt(std::string_view text, char separator);

// Whether one item of the list is exactly this text.
bool HasItem(const std::vector<std::string>& list, std::string_view item);

}  // namespace mete
