#include "watch/alnair_annotations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "support/parse_number.h"
#include "support/sha256.h"

namespace mete {
namespace {

constexpr size_t kLongestKey = 63;
constexpr size_t kHashDigits = 8;
constexpr double kBytesPerGib = 1024.0 * 1024 * 1024;
constexpr double kBytesPerMib = 1024.0 * 1024;

const SeriesSummary* Summary(const SubjectAnalysis* analysis,
                             std::string_view name) {
  if (analysis == nullptr) return nullptr;
  const SeriesAnalysis* series = analysis->Find(name);
  return series != nullptr && series->summary ? &*series->summary : nullptr;
}

// The latest value of a series of the GPU.
std::optional<double> Latest(const GpuUsage& gpu, std::string_view name) {
  auto found = gpu.series.find(name);
  if (found == gpu.series.end() || found->second.values.empty()) {
    return std::nullopt;
  }
  auto newest = std::ranges::max_element(found->second.times);
  return found->second
      .values[static_cast<size_t>(newest - found->second.times.begin())];
}

std::string Gigabytes(double gib) {
  return PythonText(fmt::format("{:.0f}GB", gib));
}

double WholeGib(double bytes) { return std::ceil(bytes / kBytesPerGib - 1e-9); }

std::string ProcessList(const std::vector<ProcessOnGpu>& processes) {
  std::vector<std::string> parts;
  for (const ProcessOnGpu& process : processes) {
    parts.push_back(fmt::format("({}, '{:.0f}MB')", process.pid,
                                std::ceil(process.memory / kBytesPerMib)));
  }
  std::ranges::sort(parts);
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

void AddCycle(const GpuView& gpu, PythonDict& dict) {
  const SeriesPeriod* period = nullptr;
  for (const char* name : {"gpu_memory_copy", "gpu_utilization"}) {
    if (gpu.analysis == nullptr || period != nullptr) break;
    const SeriesAnalysis* series = gpu.analysis->Find(name);
    if (series != nullptr && !series->periods.empty()) {
      period = &series->periods.front();
    }
  }
  dict.emplace_back("cyclic_pattern", period != nullptr ? "True" : "False");
  // Alnair counted samples, one per second.
  if (period != nullptr) {
    dict.emplace_back("period",
                      PythonText(PythonNumber(period->length.count())));
  }
}

std::string GpuDict(const GpuView& gpu) {
  PythonDict dict;
  auto used = Latest(gpu.usage, "gpu_memory");
  auto total = Latest(gpu.usage, "gpu_memory_total");
  if (used) dict.emplace_back("mem_used", Gigabytes(WholeGib(*used)));
  if (used && total) {
    dict.emplace_back("mem_free",
                      Gigabytes(WholeGib(*total) - WholeGib(*used)));
  }
  dict.emplace_back("process_cnt", std::to_string(gpu.usage.processes.size()));
  dict.emplace_back("pid-mem", ProcessList(gpu.usage.processes));
  AddCycle(gpu, dict);
  if (const auto* copy = Summary(gpu.analysis, "gpu_memory_copy")) {
    dict.emplace_back("max_mem_bw_util", PythonNumber(copy->max * 100));
  }
  if (const auto* busy = Summary(gpu.analysis, "gpu_utilization")) {
    dict.emplace_back("max_gpu_util", PythonNumber(busy->max * 100));
  }
  return PythonDictText(dict);
}

std::string StaticDict(const std::vector<GpuView>& gpus) {
  PythonDict dict = {{"count", PythonText(std::to_string(gpus.size()))}};
  const GpuUsage& first = gpus.front().usage;
  if (!first.model.empty()) dict.emplace_back("model", PythonText(first.model));
  if (auto total = Latest(first, "gpu_memory_total")) {
    dict.emplace_back("mem_size", Gigabytes(WholeGib(*total)));
  }
  return PythonDictText(dict);
}

// The pod's own memory on the GPU, otherwise that of the whole card.
std::optional<double> PodGpuMemory(const PodView& pod, const GpuView& gpu) {
  double own = 0;
  for (const ProcessOnGpu& process : gpu.usage.processes) {
    if (!pod.uid.empty() && process.pod_uid == pod.uid) own += process.memory;
  }
  if (own > 0) return own;
  const SeriesSummary* card = Summary(gpu.analysis, "gpu_memory");
  return card != nullptr ? std::optional(card->max) : std::nullopt;
}

void AddGpuValues(const PodView& pod, const GpuView& gpu, PythonDict& values) {
  const std::string name = fmt::format("{}-gpu-{}_", pod.node, gpu.index);
  if (const auto* busy = Summary(gpu.analysis, "gpu_utilization")) {
    values.emplace_back(name + "util", PythonNumber(busy->max * 100));
  }
  if (auto memory = PodGpuMemory(pod, gpu)) {
    values.emplace_back(name + "mem_mb", PythonNumber(*memory / kBytesPerMib));
  }
  if (const auto* copy = Summary(gpu.analysis, "gpu_memory_copy")) {
    values.emplace_back(name + "mem_bw_util", PythonNumber(copy->max * 100));
  }
}

// Both directions together, in MB/s. Absent if neither was measured.
std::optional<double> BothDirections(const SubjectAnalysis& analysis,
                                     const char* one, const char* other) {
  const SeriesSummary* a = Summary(&analysis, one);
  const SeriesSummary* b = Summary(&analysis, other);
  if (a == nullptr && b == nullptr) return std::nullopt;
  return ((a != nullptr ? a->max : 0) + (b != nullptr ? b->max : 0)) / 1e6;
}

std::optional<double> AsNumber(const std::string& text) {
  return ParseNumber<double>(text);
}

bool AllDigits(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::string AlnairKey(const std::string& name) {
  if (name.size() <= kLongestKey) return std::string(kAlnairPrefix) + name;
  return std::string(kAlnairPrefix) +
         name.substr(0, kLongestKey - kHashDigits - 1) + "-" +
         ComputeSha256(name).substr(0, kHashDigits);
}

LabelMap AlnairNodeAnnotations(const std::vector<GpuView>& gpus) {
  LabelMap annotations;
  if (gpus.empty()) return annotations;
  annotations[AlnairKey("gpu-static")] = StaticDict(gpus);
  for (const GpuView& gpu : gpus) {
    annotations[AlnairKey("gpu-" + gpu.index)] = GpuDict(gpu);
  }
  return annotations;
}

PythonDict AlnairPodValues(const PodView& pod) {
  PythonDict values;
  for (const GpuView& gpu : pod.gpus) AddGpuValues(pod, gpu, values);
  if (const auto* cpu = Summary(&pod.analysis, "cpu")) {
    values.emplace_back("cpu_util", PythonNumber(cpu->max * 100));
  }
  if (const auto* memory = Summary(&pod.analysis, "memory")) {
    values.emplace_back("cpu_mem_mb", PythonNumber(memory->max / 1e6));
  }
  if (auto network =
          BothDirections(pod.analysis, "network_receive", "network_transmit")) {
    values.emplace_back("network_mbps", PythonNumber(*network));
  }
  if (auto disk = BothDirections(pod.analysis, "disk_read", "disk_write")) {
    values.emplace_back("disk_io", PythonNumber(*disk));
  }
  return values;
}

std::string MergeMaxima(const std::string& old_text, PythonDict now) {
  auto old = ParsePythonDict(old_text);
  if (!old) return PythonDictText(now);
  // Others may have written thousands of keys.
  std::map<std::string, size_t> places;
  for (size_t i = 0; i < now.size(); ++i) places.try_emplace(now[i].first, i);
  for (const auto& [key, value] : *old) {
    auto [place, is_new] = places.try_emplace(key, now.size());
    if (is_new) {
      now.emplace_back(key, value);
      continue;
    }
    std::string& kept = now[place->second].second;
    auto before = AsNumber(value);
    auto after = AsNumber(kept);
    if (before && after && *before > *after) kept = value;
  }
  return PythonDictText(now);
}

bool IsAlnairProfileKey(std::string_view key) {
  if (!key.starts_with(kAlnairPrefix)) return false;
  key.remove_prefix(kAlnairPrefix.size());
  for (std::string_view plain : {"gpu-static", "cpu_util", "cpu_mem_mb",
                                 "network_mbps", "disk_io", "timestamp"}) {
    if (key == plain) return true;
  }
  if (key.starts_with("gpu-")) return AllDigits(key.substr(4));
  for (std::string_view end : {"_util", "_mem_mb", "_mem_bw_util"}) {
    if (!key.ends_with(end)) continue;
    std::string_view rest = key.substr(0, key.size() - end.size());
    size_t gpu = rest.rfind("-gpu-");
    if (gpu != std::string_view::npos && AllDigits(rest.substr(gpu + 5))) {
      return true;
    }
  }
  return false;
}

}  // namespace mete
