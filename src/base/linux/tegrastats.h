// One line of tegrastats, the monitor of NVIDIA Jetson boards. Every board and
// release prints other words in another order, so a line is read word by word
// and what is not known is passed over.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"
#include "support/units.h"

namespace mete {

struct TegraMemory {
  Bytes used;
  Bytes total;
  // "lfb 174x4MB": the largest free blocks, how many and of what size.
  std::optional<uint64_t> free_blocks;
  std::optional<Bytes> free_block;
  std::optional<Bytes> cached;  // of swap
};

struct TegraCore {
  double load = 0;  // 0 … 1, of what the core does at this frequency
  std::optional<double> hz;
};

// A unit with a clock of its own: EMC_FREQ (memory), GR3D_FREQ (graphics),
// APE, NVDEC, …
struct TegraEngine {
  std::string name;
  std::optional<double> load;  // 0 … 1
  std::vector<double> hz;      // one for each cluster; none when switched off
};

struct TegraTemperature {
  std::string name;
  double celsius = 0;
};

struct TegraRail {
  std::string name;
  Watts now;
  Watts average;  // since tegrastats was started
};

struct Tegrastats {
  std::optional<TegraMemory> ram;
  std::optional<TegraMemory> swap;  // absent when swap is off
  std::optional<TegraMemory> iram;
  std::vector<std::optional<TegraCore>> cores;  // absent: switched off
  std::vector<TegraEngine> engines;
  // Shares of a core that the code translation of Denver and Carmel takes.
  std::optional<double> translation_foreground;
  std::optional<double> translation_background;
  std::vector<TegraTemperature> temperatures;  // without sensors that are off
  // May contain each other, and bear the same name twice ("NC").
  std::vector<TegraRail> rails;
};

// Of a whole line: in one that is cut off, the last number may be too small.
// Fails with kCorrupt when no word is known: then it is a message of the tool,
// not a sample.
Result<Tegrastats> ParseTegrastats(std::string_view line);

}  // namespace mete
