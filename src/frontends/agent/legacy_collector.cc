#include "agent/legacy_collector.h"

#include <fmt/format.h>

#include <set>

#include "agent/legacy_metrics.h"
#include "linux/host_usage.h"

namespace mete {
namespace {

constexpr double kMebibyte = 1024 * 1024;
constexpr size_t kMostFamilies = 1024;

// Replaces characters that Prometheus does not allow in names by underscores.
std::string NameFrom(const std::string& metric) {
  std::string name = metric;
  for (char& c : name) {
    bool fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                (c >= '0' && c <= '9');
    if (!fine) c = '_';
  }
  return name;
}

}  // namespace

LegacyCollector::LegacyCollector(std::string device, const SystemRoot& root,
                                 ApplicationBook* book, const Clock& clock)
    : device_(std::move(device)),
      book_(book),
      clock_(clock),
      stat_(root, "/proc/stat"),
      meminfo_(root, "/proc/meminfo") {}

const MetricFamily& LegacyCollector::FamilyFor(const std::string& name,
                                               const MetricFamily& kind) {
  auto known = by_name_.find(name);
  if (known != by_name_.end()) return *known->second;
  NamedFamily& made = families_.emplace_back(NamedFamily{name, kind});
  made.family.name = made.name;
  by_name_.emplace(name, &made.family);
  return made.family;
}

void LegacyCollector::AddCpu(MetricBatch& batch) {
  Seconds busy{0};
  for (const CoreTime& core : ParseCoreTimes(stat_.TextOrNone())) {
    busy += core.user + core.system;
  }
  const std::chrono::nanoseconds now = clock_.Now();
  const Seconds passed = now - busy_at_;
  // The sum decreases when a core is switched off.
  if (busy_ && passed.count() > 0 && busy >= *busy_) {
    batch.Add(kTegraCpu, {{"testbed_device", device_}},
              100 * (busy - *busy_) / passed);
  }
  busy_ = busy;
  busy_at_ = now;
}

void LegacyCollector::AddApplication(const LiveApplication& application,
                                     MetricBatch& batch) {
  const Seconds wall = clock_.Wall().time_since_epoch();
  std::set<std::string> reported;
  for (const auto& [metric, live_metric] : application.metrics) {
    const std::string name =
        fmt::format("app{}_{}", application.number, NameFrom(metric));
    // "a.b" and "a_b" get the same name here: only the first is exported.
    const bool room =
        families_.size() < kMostFamilies || by_name_.contains(name + "_value");
    if (!room || !reported.insert(name).second) continue;
    // WaAP exported a rate as a value.
    auto rate = live_metric.Rate(clock_.Now(), std::chrono::seconds(10));
    const bool is_rate = live_metric.kind() == AppMetricKind::kRate;
    if (is_rate && !rate) continue;
    batch.Add(FamilyFor(name + "_value", kLegacyAppValue),
              is_rate ? *rate : live_metric.last_value());
    batch.Add(FamilyFor(name + "_timestamp", kLegacyAppTime),
              (wall - Seconds(clock_.Now() - live_metric.last())).count());
  }
}

Status LegacyCollector::Collect(MetricBatch& batch) {
  AddCpu(batch);
  HostMemory memory = ParseHostMemory(meminfo_.TextOrNone());
  if (memory.used) {
    batch.Add(kTegraRam, {{"testbed_device", device_}},
              static_cast<double>(memory.used->count) / kMebibyte);
  }
  if (book_ != nullptr) {
    book_->ForEach([&](const LiveApplication& application) {
      AddApplication(application, batch);
    });
  }
  return {};
}

}  // namespace mete
