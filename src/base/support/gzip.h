// gzip (RFC 1952) of whole texts.
#pragma once

#include <string>
#include <string_view>

#include "support/result.h"

namespace mete {

// The same bytes for the same text: neither time nor name is written.
Result<std::string> Gzip(std::string_view text);
// Fails with kCorrupt on anything but whole gzip members, and with
// kUnsupported when they hold more than a gibibyte.
Result<std::string> Gunzip(std::string_view bytes);
// Whether it begins as gzip does.
bool IsGzip(std::string_view bytes);

}  // namespace mete
