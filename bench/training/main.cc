// Measures how fast and how accurately mete-torch trains CNN_1d on the CWRU
// recordings.
//
//   training [speed] [accuracy]      (default: both)
//
// Speed: compares the time of an epoch with that of the same recipe in plain
// PyTorch (plain_pytorch.py with Debian's python3-torch, which uses the same
// libtorch), one thread each. The two alternate; the ratio of their medians in
// one turn is one observation. PASS: the median ratio is at most 1.
//
// Accuracy: the best validation accuracy in ten epochs, for three seeds and the
// three splits without shared windows, next to that of plain PyTorch. PASS: at
// least 97 % with every seed.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "stats/quantile.h"
#include "support/check.h"
#include "support/json.h"

namespace mete {
namespace {

constexpr int kTurns = 7;
constexpr int kEpochs = 2;
constexpr double kRequired = 0.97;

Json CaptureOutput(const std::string& command) {
  auto close = [](FILE* pipe) { pclose(pipe); };
  std::unique_ptr<FILE, decltype(close)> pipe(popen(command.c_str(), "r"),
                                              close);
  CHECK(pipe != nullptr) << command;
  std::string text;
  for (int c = 0; (c = std::fgetc(pipe.get())) != EOF;) {
    text += static_cast<char>(c);
  }
  Result<Json> json = ParseJson(text);
  CHECK(json.ok()) << command << ": " << json.error().message();
  return *json;
}

std::string Ours(const std::string& data, const std::string& more) {
  return fmt::format(
      "{} train --network CNN_1d --dataset CWRU --data-dir '{}' --normalize "
      "mean-std --no-onnx -q -o json {}",
      METE_TORCH_PROGRAM, data, more);
}

double OurEpoch(const std::string& data) {
  std::vector<double> seconds;
  Json result = CaptureOutput(Ours(data, fmt::format("--epochs {}", kEpochs)));
  for (const Json& epoch : result["epochs"]) {
    seconds.push_back(epoch["seconds"].get<double>());
  }
  return Quantile(seconds, 0.5).value();
}

std::string Theirs(const std::string& data, const std::string& more) {
  return fmt::format("OPENBLAS_NUM_THREADS=1 /usr/bin/python3 {} '{}' {}",
                     METE_PLAIN_PYTORCH, data, more);
}

bool HavePyTorch() {
  int missing =
      std::system("/usr/bin/python3 -c 'import torch, scipy' 2>/dev/null");
  if (missing == 0) return true;
  fmt::print(
      "plain PyTorch skipped: apt install python3-torch python3-scipy\n");
  return false;
}

double TheirEpoch(const std::string& data) {
  Json result =
      CaptureOutput(Theirs(data, fmt::format("--epochs {}", kEpochs)));
  return Quantile(result["epoch_seconds"].get<std::vector<double>>(), 0.5)
      .value();
}

bool CompareSpeed(const std::string& data) {
  if (!HavePyTorch()) return true;
  std::vector<double> ratios;
  for (int turn = 0; turn < kTurns; ++turn) {
    double ours = OurEpoch(data);
    double theirs = TheirEpoch(data);
    ratios.push_back(ours / theirs);
    fmt::print(
        "turn {}: mete-torch {:.2f} s, plain PyTorch {:.2f} s per epoch, ratio "
        "{:.3f}\n",
        turn + 1, ours, theirs, ratios.back());
    std::fflush(stdout);
  }
  const auto [least, most] = std::ranges::minmax(ratios);
  double ratio = Quantile(ratios, 0.5).value();
  bool passed = ratio <= 1;
  fmt::print(
      "time of an epoch, mete-torch / plain PyTorch: {:.3f} ({:.3f} to "
      "{:.3f} in {} turns)  {}\n",
      ratio, least, most, kTurns, passed ? "PASS" : "FAIL");
  return passed;
}

double FindBest(const Json& accuracies) {
  return std::ranges::max(accuracies.get<std::vector<double>>());
}

bool ReportAccuracy(const std::string& data) {
  const bool both = HavePyTorch();
  bool passed = true;
  for (const char* split : {"R_NA", "R_A", "O_A"}) {
    bool all = true;
    std::string ours;
    std::string theirs;
    for (int seed : {42, 43, 44}) {
      const std::string more = fmt::format("--split {} --seed {}", split, seed);
      double best = CaptureOutput(Ours(data, more))["best_validation_accuracy"];
      all = all && best >= kRequired;
      ours += fmt::format(" {:.2f} %", best * 100);
      if (!both) continue;
      best = FindBest(CaptureOutput(Theirs(data, more))["accuracies"]);
      theirs += fmt::format(" {:.2f} %", best * 100);
    }
    fmt::print("{:<5} seeds 42, 43, 44: mete-torch{}; plain PyTorch{}  {}\n",
               split, ours, theirs.empty() ? " -" : theirs,
               all ? "PASS" : "FAIL");
    std::fflush(stdout);
    passed = passed && all;
  }
  return passed;
}

int Main(const std::vector<std::string>& parts) {
  const char* given = std::getenv("METE_DATA");
  const std::string data =
      std::string(given == nullptr ? METE_SHARED_DATA : given) +
      "/bearing/cwru";
  if (!std::filesystem::exists(data)) {
    fmt::print("skipped: no data at {} (set METE_DATA to use another folder)\n",
               data);
    return 0;
  }
  auto requested = [&](const char* part) {
    return parts.empty() || std::ranges::find(parts, part) != parts.end();
  };
  bool passed = true;
  if (requested("speed")) passed = CompareSpeed(data) && passed;
  if (requested("accuracy")) passed = ReportAccuracy(data) && passed;
  return passed ? 0 : 1;
}

}  // namespace
}  // namespace mete

int main(int argc, char** argv) {
  return mete::Main(std::vector<std::string>(argv + 1, argv + argc));
}
