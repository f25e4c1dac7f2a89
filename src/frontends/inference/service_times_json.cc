#include "inference/service_times_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>

#include "net/server_timing.h"
#include "support/units.h"

namespace mete {
namespace {

using ToText = std::function<std::string(size_t)>;

std::string SecondsText(std::chrono::nanoseconds time) {
  return fmt::format("{:.9f}", Seconds(time).count());
}

std::string MomentText(const InferenceService& service,
                       std::chrono::nanoseconds moment) {
  const auto since_1970 = service.Wall(moment).time_since_epoch();
  return fmt::format("{:.6f}", Seconds(since_1970).count());
}

std::string ListText(const char* name, size_t count, const ToText& text) {
  std::string list = fmt::format("\"{}\":[", name);
  for (size_t i = 0; i < count; ++i) {
    if (i > 0) list += ',';
    list += text(i);
  }
  return list + "]";
}

}  // namespace

std::string ServiceTimesJson(const InferenceService& service,
                             ServiceHistory history) {
  std::vector<ServiceRecord>& all = history.records;
  // Workers finish in another order.
  std::ranges::stable_sort(all, {}, &ServiceRecord::arrival);
  auto list = [&](const char* name, const ToText& text) {
    return ListText(name, all.size(), text) + ",";
  };
  return fmt::format("{{\"uid\":\"{}\",", service.request().uid) +
         list("service_times",
              [&](size_t i) { return SecondsText(all[i].ServiceTime()); }) +
         list("arrival_times",
              [&](size_t i) { return MomentText(service, all[i].arrival); }) +
         list("departure_times",
              [&](size_t i) { return MomentText(service, all[i].departure); }) +
         list("interarrival_times",
              [&](size_t i) {
                if (i == 0) return std::string("null");
                return SecondsText(all[i].arrival - all[i - 1].arrival);
              }) +
         list("queueing_times",
              [&](size_t i) { return SecondsText(all[i].QueueingTime()); }) +
         list("queue_lens",
              [&](size_t i) { return std::to_string(all[i].queue_length); }) +
         fmt::format("\"dropped\":{}}}\n", history.dropped);
}

std::string ServedJson(const InferenceService& service,
                       const ServedInference& served) {
  const ServiceRecord& record = served.record;
  return fmt::format(
      "{{\"uid\":\"{}\",\"batch_size\":{},\"service_time\":{},"
      "\"queueing_time\":{},\"arrival_time\":{},\"departure_time\":{},"
      "\"queue_len\":{}}}\n",
      service.request().uid, served.batch, SecondsText(record.ServiceTime()),
      SecondsText(record.QueueingTime()), MomentText(service, record.arrival),
      MomentText(service, record.departure), record.queue_length);
}

void AddServerTiming(const ServiceRecord& record, HttpFields& fields) {
  fields["server-timing"] = FormatServerTiming(
      {.service = record.ServiceTime(), .queue = record.QueueingTime()});
}

}  // namespace mete
