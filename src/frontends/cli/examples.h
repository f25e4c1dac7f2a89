// The files of examples/, embedded into the program at build time.
#pragma once

#include <string_view>

namespace mete {

extern const std::string_view kSessionExample;  // session.yaml
extern const std::string_view kControlExample;  // slo.yaml

}  // namespace mete
