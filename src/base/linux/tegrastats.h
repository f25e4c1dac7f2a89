// Parser for one line of tegrastats, the monitor of NVIDIA Jetson boards. The
// fields and their order differ between boards and releases, so the line is
// parsed token by token and unknown tokens are skipped.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"
#include "support/units.h"

namespace mete {

// RAM, swap or IRAM of a Jetson.
struct TegraMemory {
  Bytes used;
  Bytes total;
  // "lfb 174x4MB": number and size of the largest free blocks.
  std::optional<uint64_t> free_blocks;
  std::optional<Bytes> free_block;
  std::optional<Bytes> cached;  // of swap only
};

// Load and frequency of one core.
struct TegraCore {
  double load = 0;  // 0 … 1, relative to the current frequency
  std::optional<double> hz;
};

// A unit with its own clock: EMC_FREQ (memory), GR3D_FREQ (GPU), APE, NVDEC, …
struct TegraEngine {
  std::string name;
  std::optional<double> load;  // 0 … 1
  std::vector<double> hz;      // one per cluster; empty when off
};

// One temperature sensor.
struct TegraTemperature {
  std::string name;
  double celsius = 0;
};

// Power of one supply rail.
struct TegraRail {
  std::string name;
  Watts now;
  Watts average;  // since tegrastats started
};

// One sample: everything in a line.
struct Tegrastats {
  std::optional<TegraMemory> ram;
  std::optional<TegraMemory> swap;  // absent when swap is off
  std::optional<TegraMemory> iram;
  std::vector<std::optional<TegraCore>> cores;  // absent: offline
  std::vector<TegraEngine> engines;
  // Share of a core used by the code translation of Denver and Carmel cores.
  std::optional<double> translation_foreground;
  std::optional<double> translation_background;
  std::vector<TegraTemperature> temperatures;  // without sensors that are off
  // Rails may contain each other, and two may have the same name ("NC").
  std::vector<TegraRail> rails;
};

// Expects a complete line: in a truncated one the last number may be too small.
// Fails with kCorrupt when no token is known; then the line is a message of the
// tool, not a sample.
Result<Tegrastats> ParseTegrastats(std::string_view line);

}  // namespace mete
