// gzip compression (RFC 1952) of whole texts.
#pragma once

#include <string>
#include <string_view>

#include "support/result.h"

namespace mete {

// Deterministic: neither time nor file name is written.
Result<std::string> Gzip(std::string_view text);
// Fails with kCorrupt on anything but complete gzip members, and with
// kUnsupported for more than 1 GiB of output.
Result<std::string> Gunzip(std::string_view bytes);
// True if the bytes begin with the gzip magic number.
bool IsGzip(std::string_view bytes);

}  // namespace mete
