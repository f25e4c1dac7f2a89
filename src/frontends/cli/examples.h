// Files of examples/, put into the program when it is built.
#pragma once

#include <string_view>

namespace mete {

extern const std::string_view kSessionExample;  // session.yaml
extern const std::string_view kControlExample;  // slo.yaml

}  // namespace mete
