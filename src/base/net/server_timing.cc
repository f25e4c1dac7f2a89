#include "net/server_timing.h"

#include <fmt/format.h>

#include <cmath>

#include "support/parse_number.h"

namespace mete {
namespace {

constexpr double kMillisecondsPerSecond = 1000;

std::string_view WithoutBlanks(std::string_view text) {
  size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// The parameter dur of ";dur=12.5;desc=x", in milliseconds.
std::optional<double> DurationIn(std::string_view parameters) {
  while (!parameters.empty()) {
    size_t end = parameters.find(';');
    std::string_view parameter = WithoutBlanks(parameters.substr(0, end));
    if (parameter.starts_with("dur=")) {
      return ParseNumber<double>(parameter.substr(4));
    }
    if (end == std::string_view::npos) break;
    parameters.remove_prefix(end + 1);
  }
  return std::nullopt;
}

void AddMetric(std::string_view metric, ServerTiming& timing) {
  size_t end = metric.find(';');
  std::string_view name = WithoutBlanks(metric.substr(0, end));
  if (name != "service" && name != "queue") return;
  if (end == std::string_view::npos) return;
  auto& slot = name == "service" ? timing.service : timing.queue;
  auto milliseconds = DurationIn(metric.substr(end + 1));
  if (slot || !milliseconds) return;
  if (!std::isfinite(*milliseconds) || *milliseconds < 0) return;
  slot = Seconds(*milliseconds / kMillisecondsPerSecond);
}

}  // namespace

ServerTiming ParseServerTiming(std::string_view field) {
  ServerTiming timing;
  while (!field.empty()) {
    size_t end = field.find(',');
    AddMetric(field.substr(0, end), timing);
    if (end == std::string_view::npos) break;
    field.remove_prefix(end + 1);
  }
  return timing;
}

std::string FormatServerTiming(const ServerTiming& timing) {
  std::string text;
  auto add = [&](std::string_view name, const std::optional<Seconds>& time) {
    if (!time) return;
    text += fmt::format("{}{};dur={:.6f}", text.empty() ? "" : ", ", name,
                        time->count() * kMillisecondsPerSecond);
  };
  add("service", timing.service);
  add("queue", timing.queue);
  return text;
}

}  // namespace mete
