// NVIDIA's management library, loaded only when asked for.
#pragma once

#include "ports/system_probes.h"

namespace mete {

// Fails with kNotFound when the library is not installed, and with
// kUnavailable and its own reason when it finds no driver.
Result<NvidiaAnswer> AskNvml(const char* library = "libnvidia-ml.so.1");

}  // namespace mete
