// Text for people on a terminal: width, shortening and wrapping of UTF-8.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mete {

// Width on a terminal, counting one column per character.
size_t DisplayWidth(std::string_view text);

// Number of bytes of the first UTF-8 character; 0 when the text does not begin
// with a valid one. Overlong forms of ASCII characters are invalid.
size_t CharacterLength(std::string_view text);

// Makes untrusted text safe to print: at most `most_bytes`, with invalid UTF-8
// replaced by U+FFFD.
std::string Tame(std::string_view text, size_t most_bytes);

// "features…/conv" for a text of more than `width` characters. Keeps both the
// beginning and the end of names, where versions usually are.
std::string ShortenMiddle(const std::string& text, size_t width);

// Lines of at most `width` characters, broken at blanks. Longer words are cut.
std::vector<std::string> WrapLines(const std::string& text, size_t width);

// The same for a terminal of 80 columns, with line ends.
std::string Wrapped(const std::string& text);

// The parts between separators, including empty ones: one more than there are
// separators.
std::vector<std::string> SplitAt(std::string_view text, char separator);

// True if an item of the list equals `item`.
bool HasItem(const std::vector<std::string>& list, std::string_view item);

}  // namespace mete
