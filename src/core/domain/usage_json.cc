#include "domain/usage_json.h"

#include <algorithm>
#include <string>
#include <vector>

#include "domain/app_metrics_json.h"
#include "domain/quantity_json.h"
#include "domain/service_json.h"
#include "support/json.h"

namespace mete {
namespace {

void Set(Json& json, const char* key, const std::optional<uint64_t>& value) {
  if (value) json[key] = *value;
}
void Set(Json& json, const char* key, const std::optional<int>& value) {
  if (value) json[key] = *value;
}

Json CpuToJson(const ResourceUsage& usage) {
  Json json = Json::object();
  SetSeconds(json, "seconds", usage.cpu);
  SetSeconds(json, "user_seconds", usage.cpu_user);
  SetSeconds(json, "system_seconds", usage.cpu_system);
  Set(json, "periods", usage.periods);
  Set(json, "throttled_periods", usage.throttled_periods);
  SetSeconds(json, "throttled_seconds", usage.throttled);
  if (usage.periods.value_or(0) > 0 && usage.throttled_periods) {
    json["throttled_ratio"] = static_cast<double>(*usage.throttled_periods) /
                              static_cast<double>(*usage.periods);
  }
  return json;
}

Json MemoryToJson(const ResourceUsage& usage) {
  Json json = Json::object();
  SetBytes(json, "peak_bytes", usage.memory_peak);
  SetBytes(json, "anonymous_bytes", usage.memory_anonymous);
  SetBytes(json, "file_bytes", usage.memory_file);
  SetBytes(json, "kernel_bytes", usage.memory_kernel);
  SetBytes(json, "resident_peak_bytes", usage.resident_peak);
  SetBytes(json, "pss_bytes", usage.proportional_memory);
  SetSeconds(json, "pss_at_seconds", usage.proportional_at);
  SetBytes(json, "swap_bytes", usage.swap);
  Set(json, "minor_faults", usage.minor_faults);
  Set(json, "major_faults", usage.major_faults);
  Set(json, "oom_kills", usage.oom_kills);
  return json;
}

Json CountersToJson(const HardwareCounts& counts) {
  Json json = Json::object();
  Set(json, "cycles", counts.cycles);
  Set(json, "instructions", counts.instructions);
  Set(json, "cache_references", counts.cache_references);
  Set(json, "cache_misses", counts.cache_misses);
  Set(json, "branch_misses", counts.branch_misses);
  return json;
}

HardwareCounts CountersFrom(const Json& run) {
  if (!run.contains("counters")) return {};
  const Json& json = run.at("counters");
  return {.cycles = GetOptional<uint64_t>(json, "cycles"),
          .instructions = GetOptional<uint64_t>(json, "instructions"),
          .cache_references = GetOptional<uint64_t>(json, "cache_references"),
          .cache_misses = GetOptional<uint64_t>(json, "cache_misses"),
          .branch_misses = GetOptional<uint64_t>(json, "branch_misses")};
}

Json GpuToJson(const GpuSummary& gpu) {
  Json json;
  json["names"] = gpu.names;
  if (gpu.mean_utilization) json["mean_utilization"] = *gpu.mean_utilization;
  if (gpu.peak_utilization) json["peak_utilization"] = *gpu.peak_utilization;
  SetBytes(json, "peak_memory_bytes", gpu.peak_memory);
  SetBytes(json, "total_memory_bytes", gpu.total_memory);
  SetBytes(json, "application_peak_memory_bytes", gpu.application_peak_memory);
  SetJoules(json, "joules", gpu.energy);
  return json;
}

std::optional<GpuSummary> GpuFrom(const Json& run) {
  if (!run.contains("gpu")) return std::nullopt;
  const Json& json = run.at("gpu");
  return GpuSummary{
      .names = json.at("names").get<std::vector<std::string>>(),
      .mean_utilization = GetOptional<double>(json, "mean_utilization"),
      .peak_utilization = GetOptional<double>(json, "peak_utilization"),
      .peak_memory = GetBytes(json, "peak_memory_bytes"),
      .total_memory = GetBytes(json, "total_memory_bytes"),
      .application_peak_memory =
          GetBytes(json, "application_peak_memory_bytes"),
      .energy = GetJoules(json, "joules")};
}

Json SamplingToJson(const Sampling& sampling) {
  Json json;
  json["hertz"] = sampling.hertz;
  json["taken"] = sampling.taken;
  json["missed"] = sampling.missed;
  json["worst_delay_seconds"] = sampling.worst_delay.count();
  json["own_cpu_seconds"] = sampling.own_cpu.count();
  return json;
}

ResourceUsage UsageFrom(const Json& run) {
  ResourceUsage usage;
  const Json& cpu = run.at("cpu");
  usage.cpu = GetSeconds(cpu, "seconds");
  usage.cpu_user = GetSeconds(cpu, "user_seconds");
  usage.cpu_system = GetSeconds(cpu, "system_seconds");
  usage.periods = GetOptional<uint64_t>(cpu, "periods");
  usage.throttled_periods = GetOptional<uint64_t>(cpu, "throttled_periods");
  usage.throttled = GetSeconds(cpu, "throttled_seconds");
  const Json& memory = run.at("memory");
  usage.memory_peak = GetBytes(memory, "peak_bytes");
  usage.memory_anonymous = GetBytes(memory, "anonymous_bytes");
  usage.memory_file = GetBytes(memory, "file_bytes");
  usage.memory_kernel = GetBytes(memory, "kernel_bytes");
  usage.resident_peak = GetBytes(memory, "resident_peak_bytes");
  usage.proportional_memory = GetBytes(memory, "pss_bytes");
  usage.proportional_at = GetSeconds(memory, "pss_at_seconds");
  usage.swap = GetBytes(memory, "swap_bytes");
  usage.minor_faults = GetOptional<uint64_t>(memory, "minor_faults");
  usage.major_faults = GetOptional<uint64_t>(memory, "major_faults");
  usage.oom_kills = GetOptional<uint64_t>(memory, "oom_kills");
  usage.disk_read = GetBytes(run.at("io"), "read_bytes");
  usage.disk_written = GetBytes(run.at("io"), "written_bytes");
  if (run.contains("network")) {
    usage.network_received = GetBytes(run.at("network"), "received_bytes");
    usage.network_sent = GetBytes(run.at("network"), "sent_bytes");
  }
  usage.hardware = CountersFrom(run);
  return usage;
}

// Runs of older versions have only a note: "the memory limit is not applied:
// …".
std::vector<EnforcedLimit> MissingLimitsFrom(
    const Json& run, const std::vector<std::string>& notes) {
  auto names = GetOptional<std::vector<std::string>>(run, "missing_limits");
  std::vector<EnforcedLimit> missing;
  for (EnforcedLimit limit : kEnforcedLimits) {
    std::string name(ToString(limit));
    std::string note = "the " + name + " limit is not applied";
    bool found = names ? std::ranges::find(*names, name) != names->end()
                       : std::ranges::any_of(notes, [&](const auto& text) {
                           return text.starts_with(note);
                         });
    if (found) missing.push_back(limit);
  }
  return missing;
}

}  // namespace

void SetApplication(Json& run, const ApplicationDetails& results) {
  if (!results.started()) return;
  run["duration_seconds"] = results.duration->count();
  Set(run, "exit_code", results.exit_code);
  Set(run, "signal", results.signal);
  run["cpu"] = CpuToJson(results.usage);
  run["memory"] = MemoryToJson(results.usage);
  run["io"] = Json::object();
  SetBytes(run["io"], "read_bytes", results.usage.disk_read);
  SetBytes(run["io"], "written_bytes", results.usage.disk_written);
  if (results.usage.network_received) {
    run["network"] = Json::object();
    SetBytes(run["network"], "received_bytes", results.usage.network_received);
    SetBytes(run["network"], "sent_bytes", results.usage.network_sent);
  }
  Json counters = CountersToJson(results.usage.hardware);
  if (!counters.empty()) run["counters"] = std::move(counters);
  if (results.gpu) run["gpu"] = GpuToJson(*results.gpu);
  if (results.energy) {
    SetJoules(run, "energy_joules", results.energy);
    run["energy_source"] = results.energy_source;
  }
  run["accounting"] = results.accounting;
  run["sampling"] = SamplingToJson(results.sampling);
  if (!results.app_metrics.empty()) {
    run["app_metrics"] = AppMetricsToJson(results.app_metrics);
  }
  SetText(run, "samples_file", results.samples_file);
  SetText(run, "log_file", results.log_file);
  if (!results.notes.empty()) run["notes"] = results.notes;
  for (EnforcedLimit limit : results.missing_limits) {
    run["missing_limits"].push_back(ToString(limit));
  }
  if (results.service) run["service"] = ServiceToJson(*results.service);
}

Result<ApplicationDetails> ApplicationFrom(const Json& run) {
  if (!run.contains("duration_seconds")) return ApplicationDetails();
  ApplicationDetails results{
      .duration = SecondsAt(run, "duration_seconds"),
      .exit_code = GetOptional<int>(run, "exit_code"),
      .signal = GetOptional<int>(run, "signal"),
      .usage = UsageFrom(run),
      .energy = GetJoules(run, "energy_joules"),
      .energy_source = GetText(run, "energy_source"),
      .gpu = GpuFrom(run),
      .accounting = run.at("accounting").get<std::string>(),
      .samples_file = GetText(run, "samples_file"),
      .log_file = GetText(run, "log_file"),
      .notes = GetOptional<std::vector<std::string>>(run, "notes")
                   .value_or(std::vector<std::string>())};
  results.missing_limits = MissingLimitsFrom(run, results.notes);
  const Json& sampling = run.at("sampling");
  results.sampling = {.hertz = sampling.at("hertz").get<double>(),
                      .taken = sampling.at("taken").get<uint64_t>(),
                      .missed = sampling.at("missed").get<uint64_t>(),
                      .worst_delay = SecondsAt(sampling, "worst_delay_seconds"),
                      .own_cpu = SecondsAt(sampling, "own_cpu_seconds")};
  if (run.contains("app_metrics")) {
    ASSIGN_OR_RETURN(results.app_metrics,
                     AppMetricsFromJson(run.at("app_metrics")));
  }
  if (run.contains("service")) {
    ASSIGN_OR_RETURN(results.service, ServiceFromJson(run.at("service")));
  }
  return results;
}

}  // namespace mete
