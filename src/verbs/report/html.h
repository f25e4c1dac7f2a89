// Escapes text and JSON for a page, so that untrusted input is safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/json_fwd.h"

namespace mete {

// For element content and quoted attributes: & < > " ' are replaced, control
// characters but tab and newline are dropped, invalid UTF-8 becomes U+FFFD.
std::string Escaped(std::string_view text);

// The same for sentences. Also keeps a number and its unit on one line.
std::string EscapedProse(std::string_view text);

// The beginning of a page up to its body, including these style sheets. Its
// content security policy allows only inline scripts and no requests.
std::string PageHead(std::string_view title,
                     const std::vector<std::string_view>& styles);

// The end of the body of a page with charts: the licence of uPlot and the
// scripts that draw the charts.
std::string ChartLicence();
std::string ChartScripts();

// For a <script> element: no character sequence in the result can end the
// element or start a comment. U+2028 and U+2029, which end lines in some
// scripts, are escaped.
std::string ScriptJson(const Json& json);

}  // namespace mete
