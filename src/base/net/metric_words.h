// Takes names, quoted values and signs off the front of a line of metrics or a
// selector. Blanks before them are skipped.
#pragma once

#include <string>
#include <string_view>

#include "support/result.h"

namespace mete {

void SkipBlanks(std::string_view& rest);

// Whether the text began with the token, which is removed then.
bool Take(std::string_view& rest, std::string_view token);

// "" when there is no name.
std::string TakeName(std::string_view& rest);

// Inside quotes: \\, \" and \n; any other pair is kept.
Result<std::string> TakeQuoted(std::string_view& rest);

}  // namespace mete
