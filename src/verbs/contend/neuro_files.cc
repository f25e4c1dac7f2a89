#include "contend/neuro_files.h"

#include <fmt/format.h>

#include <optional>

#include "support/file.h"
#include "support/json.h"

namespace mete {
namespace {

std::optional<double> Between(const std::optional<uint64_t>& before,
                              const std::optional<uint64_t>& after) {
  if (!before || !after || *after < *before) return std::nullopt;
  return static_cast<double>(*after - *before);
}

std::optional<uint64_t> Faults(const ResourceUsage& usage) {
  if (!usage.minor_faults && !usage.major_faults) return std::nullopt;
  return usage.minor_faults.value_or(0) + usage.major_faults.value_or(0);
}

// Lines like those of `perf stat -I 1000`: the count of the interval, and the
// value that perf derives from it.
class CounterLines {
 public:
  void Add(double time, double count, const char* count_unit, const char* event,
           double value, const char* value_unit) {
    text_ += fmt::format("{},{:.9f},{:g},{},{},{:g},{}\n", index_++, time,
                         count, count_unit, event, value, value_unit);
  }
  std::string Take() { return std::move(text_); }

 private:
  int index_ = 0;
  std::string text_ = "index,time,count,count_unit,event,value,value_unit\n";
};

void AddInterval(const ServiceSample& from, const ServiceSample& to,
                 CounterLines& lines) {
  const ResourceUsage& before = from.usage;
  const ResourceUsage& after = to.usage;
  const double seconds = (to.at - from.at).count();
  const double time = to.at.count();
  if (seconds <= 0) return;
  if (before.cpu && after.cpu) {
    double cpu = (*after.cpu - *before.cpu).count();
    lines.Add(time, cpu * 1e3, "msec", "cpu-clock", cpu / seconds,
              "CPUs utilized");
  }
  auto references = Between(before.hardware.cache_references,
                            after.hardware.cache_references);
  if (references) {
    lines.Add(time, *references, "", "cache-references",
              *references / seconds / 1e6, "M/sec");
  }
  auto misses =
      Between(before.hardware.cache_misses, after.hardware.cache_misses);
  if (misses && references.value_or(0) > 0) {
    lines.Add(time, *misses, "", "cache-misses", 100 * *misses / *references,
              "of all cache refs");
  }
  if (auto faults = Between(Faults(before), Faults(after))) {
    lines.Add(time, *faults, "", "page-faults", *faults / seconds / 1e3,
              "K/sec");
  }
}

}  // namespace

std::string NeuroRequestsJson(const MixMeasurement& measured) {
  Json requests = Json::array();
  for (size_t id = 0; id < measured.tenants.size(); ++id) {
    const TenantMeasurement& tenant = measured.tenants[id];
    Json request;
    request["id"] = id;
    request["application"] = tenant.tenant.application;
    request["arrival_rate"] = tenant.tenant.rate;
    request["num_instances"] = tenant.tenant.instances;
    request["port"] = tenant.port;
    request["pids"] = tenant.process_ids;
    requests.push_back(std::move(request));
  }
  Json json;
  json["tenant_requests"] = std::move(requests);
  return DumpJson(json) + "\n";
}

std::string NeuroTimesCsv(const TenantMeasurement& tenant) {
  std::string text =
      "index,service_times,arrival_times,departure_times,interarrival_times,"
      "queueing_times,queue_lens\n";
  size_t index = 0;
  for (const InstanceMeasurement& instance : tenant.instances) {
    const ServiceTimes& times = instance.times;
    for (size_t i = 0; i < times.size(); ++i) {
      text += fmt::format("{},{:.9f},{:.9f},{:.9f},{:.9f},{:.9f},{:g}\n",
                          index++, times.service[i], times.arrival[i],
                          times.departure[i], times.interarrival[i],
                          times.queueing[i], times.queue_lengths[i]);
    }
  }
  return text;
}

std::string NeuroCountersCsv(const InstanceMeasurement& instance) {
  CounterLines lines;
  for (size_t i = 1; i < instance.samples.size(); ++i) {
    AddInterval(instance.samples[i - 1], instance.samples[i], lines);
  }
  return lines.Take();
}

Status WriteNeuroFiles(const MixMeasurement& measured,
                       const std::filesystem::path& folder) {
  RETURN_IF_ERROR(MakeFolder(folder));
  RETURN_IF_ERROR(WriteFileAtomically(folder / "tenant_requests.json",
                                      NeuroRequestsJson(measured)));
  for (size_t id = 0; id < measured.tenants.size(); ++id) {
    const TenantMeasurement& tenant = measured.tenants[id];
    RETURN_IF_ERROR(WriteFileAtomically(
        folder / fmt::format("tenant-{}.csv", id), NeuroTimesCsv(tenant)));
    auto counters = folder / "proc_metrics" / fmt::format("tenant_{}", id);
    RETURN_IF_ERROR(MakeFolder(counters));
    for (const InstanceMeasurement& instance : tenant.instances) {
      RETURN_IF_ERROR(
          WriteFileAtomically(counters / (instance.process + ".parsed.csv"),
                              NeuroCountersCsv(instance)));
    }
  }
  return {};
}

}  // namespace mete
