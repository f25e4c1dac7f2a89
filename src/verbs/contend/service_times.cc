#include "contend/service_times.h"

#include <fmt/format.h>

#include <cmath>

#include "support/json.h"

namespace mete {
namespace {

Result<std::vector<double>> ReadTimes(const Json& json, const char* key) {
  std::vector<double> values;
  for (const Json& item : json.at(key)) {
    // The first request has no inter-arrival time.
    bool none = values.empty() && item.is_null();
    double value = none ? 0 : item.get<double>();
    if (!std::isfinite(value) || value < 0) {
      return Corrupt(fmt::format("{}: {} is not a time", key, value));
    }
    values.push_back(value);
  }
  return values;
}

Status CheckLength(const std::vector<double>& values, size_t length,
                   const char* key) {
  if (values.size() == length) return {};
  return Corrupt(
      fmt::format("{}: {} values for {} requests", key, values.size(), length));
}

Result<ServiceTimes> ServiceTimesFromJson(const Json& json) {
  ServiceTimes times{.uid = json.at("uid").get<std::string>()};
  ASSIGN_OR_RETURN(times.service, ReadTimes(json, "service_times"));
  ASSIGN_OR_RETURN(times.arrival, ReadTimes(json, "arrival_times"));
  ASSIGN_OR_RETURN(times.departure, ReadTimes(json, "departure_times"));
  ASSIGN_OR_RETURN(times.interarrival, ReadTimes(json, "interarrival_times"));
  ASSIGN_OR_RETURN(times.queueing, ReadTimes(json, "queueing_times"));
  ASSIGN_OR_RETURN(times.queue_lengths, ReadTimes(json, "queue_lens"));
  const size_t length = times.size();
  RETURN_IF_ERROR(CheckLength(times.arrival, length, "arrival_times"));
  RETURN_IF_ERROR(CheckLength(times.departure, length, "departure_times"));
  RETURN_IF_ERROR(
      CheckLength(times.interarrival, length, "interarrival_times"));
  RETURN_IF_ERROR(CheckLength(times.queueing, length, "queueing_times"));
  RETURN_IF_ERROR(CheckLength(times.queue_lengths, length, "queue_lens"));
  return times;
}

}  // namespace

Result<ServiceTimes> ParseServiceTimes(std::string_view body) {
  ASSIGN_OR_RETURN(Json json, ParseJson(body));
  return ReadJson("service times",
                  [&json] { return ServiceTimesFromJson(json); });
}

}  // namespace mete
