// Evaluates latency predictions on our own runs and on public data with the
// published protocols. Compares mete with simple baselines and with the
// required values.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include "bench/prediction/section.h"
#include "support/table.h"

namespace mete::bench {
namespace {

using RunSection = std::function<Result<Section>(const std::filesystem::path&)>;

const RunSection kSections[] = {EmulatedDevices, NasBench, ImageNetworks,
                                EdgeBoards};

std::filesystem::path DataFolder() {
  const char* given = std::getenv("METE_DATA");
  return given != nullptr ? given : METE_SHARED_DATA;
}

std::string Shown(const Line& line, double value) {
  return line.shares ? fmt::format("{:.1f} %", 100 * value)
                     : fmt::format("{:.3f}", value);
}

std::string Reached(const Line& line) {
  if (!line.target) return "";
  if (line.goal && line.value >= *line.goal) return "yes, and the goal";
  if (line.value < *line.target) return "NO";
  return line.goal ? "yes, not the goal" : "yes";
}

std::string Requirement(const Line& line) {
  if (!line.target) return "";
  std::string text = ">= " + Shown(line, *line.target);
  return line.goal ? text + ", goal " + Shown(line, *line.goal) : text;
}

void Print(const Section& section, double seconds) {
  Table table({{"protocol"},
               {"predictor"},
               {"metric"},
               {"value", Align::kRight},
               {"target"},
               {"reached"}});
  for (const Line& line : section.lines) {
    table.AddRow({line.protocol, line.predictor, line.metric,
                  Shown(line, line.value), Requirement(line), Reached(line)});
  }
  fmt::print("{} ({:.0f} s)\n{}{}\n\n", section.name, seconds, table.Text(),
             section.note);
  std::fflush(stdout);
}

int Run() {
  bool reached = true;
  for (const RunSection& run : kSections) {
    auto started = std::chrono::steady_clock::now();
    Result<Section> section = run(DataFolder());
    if (!section.ok() && section.error().code() == ErrorCode::kNotFound) {
      fmt::print("skipped: no data ({})\n\n", section.error().message());
      continue;
    }
    if (!section.ok()) {
      fmt::print(stderr, "prediction: {}\n", section.error().message());
      return 1;
    }
    std::chrono::duration<double> took =
        std::chrono::steady_clock::now() - started;
    Print(*section, took.count());
    for (const Line& line : section->lines) {
      if (line.target && line.value < *line.target) reached = false;
    }
  }
  return reached ? 0 : 1;
}

}  // namespace
}  // namespace mete::bench

int main() { return mete::bench::Run(); }
