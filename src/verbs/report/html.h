// Text and JSON made safe to stand in a page, whoever wrote them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/json_fwd.h"

namespace mete {

// For element content and quoted attributes: & < > " ' are replaced, control
// characters but tab and newline are dropped, invalid UTF-8 becomes U+FFFD.
std::string Escaped(std::string_view text);

// The same for sentences: a number and its unit stay on one line.
std::string EscapedProse(std::string_view text);

// The beginning of a page up to its body, with these style sheets in it: no
// script but the page's own, and no request to anywhere.
std::string PageHead(std::string_view title,
                     const std::vector<std::string_view>& styles);

// The end of the body of a page with charts: the licence of uPlot and the
// scripts that draw them.
std::string ChartLicence();
std::string ChartScripts();

// For a <script> element: no character sequence in it can end the element or
// be taken for a comment, and U+2028 and U+2029, which end lines in some
// scripts, are escaped.
std::string ScriptJson(const Json& json);

}  // namespace mete
