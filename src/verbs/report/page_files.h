// Files that are part of every page, embedded in the program at build time.
#pragma once

#include <string_view>

namespace mete {

extern const std::string_view kPageScript;  // page/report.js
extern const std::string_view kPageStyle;   // page/report.css
// uPlot draws the curves: github.com/leeoniya/uPlot, MIT licence.
extern const std::string_view kUplotScript;
extern const std::string_view kUplotStyle;
extern const std::string_view kUplotLicence;

}  // namespace mete
