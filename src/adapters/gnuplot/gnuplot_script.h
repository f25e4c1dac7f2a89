// A drawing in gnuplot's language. Names of workloads are other people's text:
// none of it can become a command.
#pragma once

#include <string>
#include <string_view>

#include "ports/plot_renderer.h"

namespace mete {

// Draws to standard output, 12 by 6 inches.
std::string GnuplotScript(const Drawing& drawing, PictureFormat format);

// A string of gnuplot's. Letters, digits, blanks, UTF-8 and what means nothing
// in any language stand as they are; every other character is its octal number,
// so that no quote, backtick or line end is left to act on. Control characters
// become blanks, invalid UTF-8 U+FFFD.
std::string GnuplotText(std::string_view text);

}  // namespace mete
