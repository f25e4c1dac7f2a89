// examples/session.yaml, put into the program when it is built.
#pragma once

#include <string_view>

namespace mete {

extern const std::string_view kSessionExample;

}  // namespace mete
