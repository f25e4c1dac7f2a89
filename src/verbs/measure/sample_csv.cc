#include "measure/sample_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>

#include "support/file.h"

namespace mete {
namespace {

// Ten samples a second for a week.
constexpr Bytes kMostSamples = Gibibytes(1);

std::string Cell(const std::optional<Seconds>& value) {
  return value ? fmt::format("{:.6f}", value->count()) : "";
}
std::string Cell(const std::optional<Bytes>& value) {
  return value ? std::to_string(value->count) : "";
}
std::string Cell(const std::optional<uint64_t>& value) {
  return value ? std::to_string(*value) : "";
}
std::string Cell(const std::optional<double>& value) {
  return value ? fmt::format("{:g}", *value) : "";
}
std::string Cell(const std::optional<Watts>& value) {
  return value ? fmt::format("{:g}", value->count) : "";
}

// A column: its name, and its cell computed from the previous and the current
// sample.
struct Column {
  std::string name;
  std::function<std::string(const UsageSample&, const UsageSample&)> cell;
};
using Columns = std::vector<Column>;

// A column that depends only on the current sample.
template <typename Value>
Column Plain(std::string name, Value value) {
  return {std::move(name), [value](const UsageSample&, const UsageSample& now) {
            return Cell(std::invoke(value, now));
          }};
}
template <typename Member>
Column OfUsage(std::string name, Member member) {
  return Plain(std::move(name), [member](const UsageSample& sample) {
    return sample.usage.*member;
  });
}
template <typename Member>
Column OfCounters(std::string name, Member member) {
  return Plain(std::move(name), [member](const UsageSample& sample) {
    return sample.usage.hardware.*member;
  });
}
template <typename Member>
Column OfMachine(std::string name, Member member) {
  return Plain(std::move(name), [member](const UsageSample& sample) {
    return sample.machine.*member;
  });
}

// CPU time by wall time, in cores. Empty for the first sample.
std::string Rate(std::optional<Seconds> before, std::optional<Seconds> now,
                 Seconds between) {
  if (!before || !now || between.count() <= 0) return "";
  return fmt::format("{:.4f}", (*now - *before).count() / between.count());
}

std::string Cores(const UsageSample& before, const UsageSample& now) {
  return Rate(before.usage.cpu, now.usage.cpu, now.at - before.at);
}

std::optional<Seconds> BusyTime(const UsageSample& sample, int core) {
  for (const CoreBusy& one : sample.machine.core_busy) {
    if (one.core == core) return one.time;
  }
  return std::nullopt;
}

std::string MachineCores(const UsageSample& before, const UsageSample& now) {
  const auto& cores = now.machine.core_busy;
  // The sums are not comparable when a core went on- or offline.
  if (!std::ranges::equal(before.machine.core_busy, cores, {}, &CoreBusy::core,
                          &CoreBusy::core)) {
    return "";
  }
  std::optional<Seconds> sum_before;
  std::optional<Seconds> sum_now;
  for (size_t i = 0; i < cores.size(); ++i) {
    sum_before =
        sum_before.value_or(Seconds(0)) + before.machine.core_busy[i].time;
    sum_now = sum_now.value_or(Seconds(0)) + cores[i].time;
  }
  return Rate(sum_before, sum_now, now.at - before.at);
}

Columns FixedColumns() {
  using U = ResourceUsage;
  using H = HardwareCounts;
  using M = MachineSample;
  return {
      {"time_seconds",
       [](const UsageSample&, const UsageSample& now) {
         return fmt::format("{:.6f}", now.at.count());
       }},
      OfUsage("cpu_seconds", &U::cpu),
      {"cpu_cores", Cores},
      OfUsage("throttled_seconds", &U::throttled),
      OfUsage("memory_bytes", &U::memory),
      OfUsage("anonymous_bytes", &U::memory_anonymous),
      OfUsage("file_bytes", &U::memory_file),
      OfUsage("kernel_bytes", &U::memory_kernel),
      OfUsage("swap_bytes", &U::swap),
      OfUsage("minor_faults", &U::minor_faults),
      OfUsage("major_faults", &U::major_faults),
      OfUsage("read_bytes", &U::disk_read),
      OfUsage("written_bytes", &U::disk_written),
      OfUsage("received_bytes", &U::network_received),
      OfUsage("sent_bytes", &U::network_sent),
      OfUsage("processes", &U::processes),
      OfUsage("gpu_memory_bytes", &U::gpu_memory),
      OfCounters("cycles", &H::cycles),
      OfCounters("instructions", &H::instructions),
      OfCounters("cache_references", &H::cache_references),
      OfCounters("cache_misses", &H::cache_misses),
      OfCounters("branch_misses", &H::branch_misses),
      {"machine_cores", MachineCores},
      OfMachine("machine_memory_bytes", &M::memory_used),
      OfMachine("machine_received_bytes", &M::network_received),
      OfMachine("machine_sent_bytes", &M::network_sent),
      OfMachine("machine_read_bytes", &M::disk_read),
      OfMachine("machine_written_bytes", &M::disk_written),
      OfMachine("cpu_stalled_seconds", &M::cpu_stalled),
      OfMachine("memory_stalled_seconds", &M::memory_stalled),
      OfMachine("io_stalled_seconds", &M::io_stalled),
      OfMachine("celsius", &M::hottest_celsius),
      OfMachine("hertz", &M::mean_hertz),
      OfMachine("energy_joules", &M::energy_joules),
      OfMachine("memory_bus_load", &M::memory_bus_load),
  };
}

// Over all runs that share the columns.
using Samples = std::vector<const UsageSample*>;

void AddCores(const Samples& samples, Columns& columns) {
  std::set<int> cores;
  for (const UsageSample* sample : samples) {
    for (const CoreBusy& core : sample->machine.core_busy) {
      cores.insert(core.core);
    }
  }
  for (int core : cores) {
    columns.push_back(
        {fmt::format("machine_core{}", core),
         [core](const UsageSample& before, const UsageSample& now) {
           return Rate(BusyTime(before, core), BusyTime(now, core),
                       now.at - before.at);
         }});
  }
}

// A column of the GPU at `index`.
template <typename Member>
Column OfGpu(size_t index, const char* what, Member member) {
  return Plain(fmt::format("gpu{}_{}", index, what),
               [index, member](const UsageSample& sample) {
                 const auto& gpus = sample.machine.gpus;
                 return index < gpus.size() ? gpus[index].*member
                                            : std::nullopt;
               });
}

void AddGpus(const Samples& samples, Columns& columns) {
  size_t gpus = 0;
  for (const UsageSample* sample : samples) {
    gpus = std::max(gpus, sample->machine.gpus.size());
  }
  for (size_t i = 0; i < gpus; ++i) {
    columns.push_back(OfGpu(i, "utilization", &GpuSample::utilization));
    columns.push_back(OfGpu(i, "memory_bytes", &GpuSample::memory_used));
    columns.push_back(OfGpu(i, "watts", &GpuSample::power));
    columns.push_back(OfGpu(i, "joules", &GpuSample::joules));
    columns.push_back(OfGpu(i, "celsius", &GpuSample::celsius));
  }
}

std::optional<Watts> FindPower(const UsageSample& sample,
                               const std::string& name) {
  for (const RailSample& rail : sample.machine.rails) {
    if (rail.name == name) return rail.power;
  }
  return std::nullopt;
}

void AddRails(const Samples& samples, Columns& columns) {
  std::set<std::string> names;
  for (const UsageSample* sample : samples) {
    for (const RailSample& rail : sample->machine.rails) {
      names.insert(rail.name);
    }
  }
  for (const std::string& name : names) {
    columns.push_back(Plain(name + "_watts", [name](const UsageSample& sample) {
      return FindPower(sample, name);
    }));
  }
}

Columns CollectColumns(const std::vector<LabelledSamples>& runs) {
  Samples samples;
  for (const LabelledSamples& run : runs) {
    for (const UsageSample& sample : run.samples) samples.push_back(&sample);
  }
  Columns columns = FixedColumns();
  AddCores(samples, columns);
  AddGpus(samples, columns);
  AddRails(samples, columns);
  return columns;
}

// "a" and "b" -> "a,b". No comma before the first cell of a line.
void AddCell(const std::string& cell, std::string& line) {
  if (!line.empty()) line += ',';
  line += cell;
}

void AddRows(const LabelledSamples& run, const Columns& columns,
             std::string& text) {
  const UsageSample start{.usage = {.cpu = Seconds(0)}};
  const UsageSample* before = &start;
  for (const UsageSample& sample : run.samples) {
    std::string line = run.label;
    for (const Column& column : columns) {
      AddCell(column.cell(*before, sample), line);
    }
    text += line + "\n";
    before = &sample;
  }
}

}  // namespace

std::string SamplesCsv(const std::vector<UsageSample>& samples) {
  return SamplesCsv("", {{.label = "", .samples = samples}});
}

std::string SamplesCsv(const std::string& heading,
                       const std::vector<LabelledSamples>& runs) {
  const Columns columns = CollectColumns(runs);
  std::string text = heading;
  for (const Column& column : columns) AddCell(column.name, text);
  text += "\n";
  for (const LabelledSamples& run : runs) AddRows(run, columns, text);
  return text;
}

Result<std::string> ReadSamples(const ApplicationDetails& application) {
  return ReadRegularFile(application.samples_file, kMostSamples);
}

}  // namespace mete
