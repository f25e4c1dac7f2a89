// The Server-Timing field of a response, in which a server reports how long it
// worked on the request (W3C Server Timing).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "support/units.h"

namespace mete {

// What a service reports about one request: "service;dur=12.5, queue;dur=3".
struct ServerTiming {
  std::optional<Seconds> service{};  // computing the answer
  std::optional<Seconds> queue{};    // waiting before that
  bool operator==(const ServerTiming&) const = default;
};

// Reads the metrics named "service" and "queue", in milliseconds. Other metrics
// and values that are no number are ignored; of two with the same name, the
// first counts.
ServerTiming ParseServerTiming(std::string_view field);

// "service;dur=12.5, queue;dur=3" with nanosecond resolution; "" without
// either.
std::string FormatServerTiming(const ServerTiming& timing);

}  // namespace mete
