// The version of this program, from the build.
#pragma once

namespace mete {

inline constexpr const char* kVersion = METE_VERSION;

}  // namespace mete
