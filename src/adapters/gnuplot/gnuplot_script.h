// Converts a drawing to gnuplot's language. Names of workloads are untrusted
// text: none of it can become a command.
#pragma once

#include <string>
#include <string_view>

#include "ports/plot_renderer.h"

namespace mete {

// Draws to standard output, 12 by 6 inches.
std::string GnuplotScript(const Drawing& drawing, PictureFormat format);

// A string literal for gnuplot. Letters, digits, blanks, UTF-8 and harmless
// punctuation stay as they are; every other character becomes an octal escape,
// so that no quote, backtick or line end has an effect. Control characters
// become blanks, invalid UTF-8 U+FFFD.
std::string GnuplotText(std::string_view text);

}  // namespace mete
