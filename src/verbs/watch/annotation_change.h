// Decides whether an annotation changed enough to be written again.
#pragma once

#include <string_view>

namespace mete {

// True if the texts differ only in measured numbers, and those by at most
// `tolerance` of the larger one or by 0.5. Numbers that are part of a word
// ("gpu-0"), and the first of a tuple (a process id), must be equal.
bool SameText(std::string_view old_text, std::string_view new_text,
              double tolerance);

// The same for the profiles of mete: the numbers of a metric are compared in
// relation to its maximum, a period in relation to itself, shares in absolute
// terms. How a forecast was made does not matter. Texts that are not profiles
// must be equal.
bool SameProfile(std::string_view old_text, std::string_view new_text,
                 double tolerance);

}  // namespace mete
