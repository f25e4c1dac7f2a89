#include "devices/device_table.h"

#include <fmt/format.h>

#include "support/clock.h"
#include "support/table.h"
#include "support/units.h"

namespace mete {
namespace {

constexpr size_t kWidth = 80;
// The widest label of a card and two blanks.
constexpr size_t kIndent = 17;

// Cuts to at most `width` characters; the last one is "…" if something was cut.
// Keeps UTF-8 characters whole.
std::string Shortened(const std::string& text, size_t width) {
  size_t characters = 0;
  size_t cut = text.size();
  for (size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0) == 0x80) continue;
    if (++characters == width) cut = i;
  }
  if (characters <= width) return text;
  return text.substr(0, cut) + "…";
}

std::string Operations(const Device& device) {
  if (!device.speed) return "";
  return FormatScaled(device.speed->operations_per_second) + "op/s";
}

// What an engine reaches with all threads in matrix products.
std::string GemmWithAllThreads(const Device& device) {
  if (!device.micro || device.micro->speeds.empty()) return "-";
  const EngineSpeed& all = device.micro->speeds.back();
  return FormatScaled(all.gemm_flops_per_second) + "flop/s";
}

std::string Bandwidth(const Device& device) {
  if (!device.speed) return "";
  return FormatScaled(device.speed->memory_bytes_per_second) + "B/s";
}

void AddLine(std::string& card, const std::string& heading,
             const std::string& value) {
  if (value.empty()) return;
  card += fmt::format("{:<{}}{}\n", heading, kIndent,
                      Shortened(value, kWidth - kIndent));
}

std::string Caches(const std::vector<CacheLevel>& caches) {
  std::vector<std::string> texts;
  for (const CacheLevel& cache : caches) {
    texts.push_back(cache.name + " " + FormatBytes(cache.size));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string Frequency(const DeviceFacts& facts) {
  if (!facts.max_frequency_hz) return "";
  return FormatScaled(*facts.max_frequency_hz) + "Hz";
}

void AddEmulation(std::string& card, const Device& device) {
  if (!device.emulation) return;
  const Emulation& emulation = *device.emulation;
  AddLine(
      card, "emulated",
      fmt::format("{}, {}, engine threads: {}, host {}",
                  FormatCpus(UsableCpus(device)), FormatBytes(device.facts.ram),
                  EngineThreadsFor(device), emulation.host_id));
  AddLine(card, "share",
          fmt::format("{:.1f} % delivered, in periods of {}",
                      100 * emulation.delivered_ratio,
                      FormatSeconds(Seconds(emulation.period).count())));
}

// "12.3 Gflop/s, 23.1 Gflop/s": one value for each number of threads.
template <typename Text>
std::string EachSpeed(const MicroMeasurements& micro, Text text) {
  std::vector<std::string> texts;
  for (const EngineSpeed& speed : micro.speeds) texts.push_back(text(speed));
  return fmt::format("{}", fmt::join(texts, ", "));
}

void AddSpeeds(std::string& card, const MicroMeasurements& micro,
               const std::string& heading, double EngineSpeed::*field,
               const std::string& unit) {
  AddLine(card, heading, EachSpeed(micro, [&](const EngineSpeed& speed) {
            return FormatScaled(speed.*field) + unit;
          }));
}

void AddMicro(std::string& card, const MicroMeasurements& micro) {
  AddLine(card, "engine", micro.engine);
  AddLine(card, "engine threads",
          EachSpeed(micro, [](const EngineSpeed& speed) {
            return std::to_string(speed.threads);
          }));
  AddSpeeds(card, micro, "gemm", &EngineSpeed::gemm_flops_per_second, "flop/s");
  AddSpeeds(card, micro, "conv 3x3", &EngineSpeed::conv_flops_per_second,
            "flop/s");
  AddSpeeds(card, micro, "depthwise", &EngineSpeed::depthwise_flops_per_second,
            "flop/s");
  AddSpeeds(card, micro, "element-wise",
            &EngineSpeed::elementwise_bytes_per_second, "B/s");
  AddLine(card, "per operator", EachSpeed(micro, [](const EngineSpeed& speed) {
            return FormatSeconds(speed.node_seconds);
          }));
  AddLine(card, "engine measured", FormatUtc(micro.measured_at));
}

}  // namespace

std::string DeviceList(const std::vector<Device>& devices) {
  Table table({{"name"},
               {"kind"},
               {"CPUs", Align::kRight},
               {"memory", Align::kRight},
               {"gemm", Align::kRight},
               {"triad", Align::kRight},
               {"processor"}});
  for (const Device& device : devices) {
    // 15 + 8 + 5 + 8 + 12 + 9 + 11, and six gaps of two: 80.
    table.AddRow({Shortened(device.name, 15),
                  device.emulated ? "emulated" : "machine",
                  fmt::format("{:g}", UsableCpus(device)),
                  FormatBytes(device.facts.ram), GemmWithAllThreads(device),
                  Bandwidth(device), Shortened(device.facts.cpu_model, 11)});
  }
  return table.Text();
}

std::string DeviceCard(const Device& device) {
  const DeviceFacts& facts = device.facts;
  std::string card;
  AddLine(card, "name", device.name + (device.emulated ? " (emulated)" : ""));
  AddLine(card, "id", device.id);
  AddEmulation(card, device);
  AddLine(card, "registered", FormatUtc(device.registered_at));
  AddLine(card, "board", facts.board);
  AddLine(card, "processor", facts.cpu_model);
  AddLine(card, "architecture", facts.architecture);
  AddLine(card, "cores", std::to_string(facts.cores));
  AddLine(card, "frequency", Frequency(facts));
  AddLine(card, "caches", Caches(facts.caches));
  AddLine(card, "memory", FormatBytes(facts.ram));
  for (const std::string& gpu : facts.gpus) AddLine(card, "gpu", gpu);
  AddLine(card, "system", facts.os);
  AddLine(card, "kernel", facts.kernel);
  AddLine(card, "plain C++ loop", Operations(device));
  AddLine(card, "triad", Bandwidth(device));
  if (device.speed) {
    AddLine(card, "measured", FormatUtc(device.speed->measured_at));
  }
  if (device.micro) AddMicro(card, *device.micro);
  return card;
}

std::string DeviceCsv(const std::vector<Device>& devices) {
  Table table({{"name"},
               {"id"},
               {"emulated"},
               {"architecture"},
               {"cpu_model"},
               {"cores"},
               {"ram_bytes"},
               {"board"},
               {"operations_per_second"},
               {"memory_bytes_per_second"},
               {"cpus"},
               {"threads"},
               {"delivered_ratio"}});
  for (const Device& device : devices) {
    const DeviceFacts& facts = device.facts;
    auto number = [&](double DeviceSpeed::*field) {
      return device.speed ? fmt::format("{:.6g}", *device.speed.*field) : "";
    };
    table.AddRow({device.name, device.id, device.emulated ? "true" : "false",
                  facts.architecture, facts.cpu_model,
                  std::to_string(facts.cores), std::to_string(facts.ram.count),
                  facts.board, number(&DeviceSpeed::operations_per_second),
                  number(&DeviceSpeed::memory_bytes_per_second),
                  fmt::format("{:g}", UsableCpus(device)),
                  std::to_string(EngineThreadsFor(device)),
                  device.emulation
                      ? fmt::format("{:.4g}", device.emulation->delivered_ratio)
                      : ""});
  }
  return table.Csv();
}

}  // namespace mete
