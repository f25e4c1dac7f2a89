// Flat dictionaries in the notation of Python, the values of Alnair's
// annotations: {'mem_used': '11GB', 'process_cnt': 1, 'cyclic_pattern': False}.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mete {

// Entries in order. Values are written as they are: quote texts with
// PythonText.
using PythonDict = std::vector<std::pair<std::string, std::string>>;

std::string PythonDictText(const PythonDict& dict);
// Absent if the text is not a flat dictionary of texts and numbers. Values keep
// their notation.
std::optional<PythonDict> ParsePythonDict(std::string_view text);

// 'text', with quotes, backslashes and control characters escaped.
std::string PythonText(std::string_view text);
// At most two decimals, without trailing zeros: 271.82, 100.
std::string PythonNumber(double value);

}  // namespace mete
