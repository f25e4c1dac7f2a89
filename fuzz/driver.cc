// Runs a fuzz target without libFuzzer, which g++ does not have: first over
// every file of its corpus, then over random changes of these files. Nothing
// measures coverage, so it finds less than libFuzzer, but it needs no clang.
//
//   NAME_fuzz [-max_total_time=SECONDS] [-seed=N] [-timeout=SECONDS]
//             [-artifact_prefix=FOLDER/] CORPUS…
//
// These flags are libFuzzer's. CORPUS is a folder, or a file to be replayed.
// The input is in FOLDER/NAME_fuzz.input while it is used. If the target
// crashes or exceeds the timeout, that file is still there to be replayed.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/input.h"
#include "fuzz/mutator.h"
#include "support/check.h"
#include "support/descriptor.h"
#include "support/file.h"
#include "support/parse_number.h"

// An input that makes a parser allocate gigabytes is a finding. Both limits
// are in MiB and leave room for the sanitizer itself. A target may define its
// own.
// NOLINTBEGIN(bugprone-reserved-identifier): the sanitizer looks for this name.
extern "C" const char* __asan_default_options();
extern "C" __attribute__((weak)) const char* __asan_default_options() {
  return "hard_rss_limit_mb=3072:max_allocation_size_mb=1024:"
         "quarantine_size_mb=32";
}
// NOLINTEND(bugprone-reserved-identifier)

namespace mete {
namespace {

namespace fs = std::filesystem;

struct DriverFlags {
  uint64_t seconds = 0;  // 0: only the files of the corpus
  uint64_t seed = 1;
  uint64_t timeout = 30;
  std::string folder = "./";
  std::vector<fs::path> corpora;
};

[[noreturn]] void Fail(const std::string& message) {
  fmt::print(stderr, "{}\n", message);
  std::exit(2);
}

DriverFlags ParseFlags(int count, char** arguments) {
  DriverFlags flags;
  for (int i = 1; i < count; ++i) {
    const std::string_view argument = arguments[i];
    if (!argument.starts_with('-')) {
      flags.corpora.emplace_back(argument);
      continue;
    }
    const size_t equals = std::min(argument.find('='), argument.size());
    const std::string_view name = argument.substr(0, equals);
    const std::string_view text =
        argument.substr(std::min(equals + 1, argument.size()));
    if (name == "-artifact_prefix") {
      flags.folder = text;
      continue;
    }
    uint64_t* number = name == "-max_total_time" ? &flags.seconds
                       : name == "-seed"         ? &flags.seed
                       : name == "-timeout"      ? &flags.timeout
                                                 : nullptr;
    auto value = ParseNumber<uint64_t>(text);
    if (number == nullptr || !value) {
      Fail(fmt::format("unknown flag or invalid number: {}", argument));
    }
    *number = *value;
  }
  return flags;
}

std::vector<std::string> ReadCorpora(const std::vector<fs::path>& corpora) {
  std::vector<std::string> inputs;
  for (const fs::path& corpus : corpora) {
    std::vector<fs::path> files = {corpus};
    if (fs::is_directory(corpus)) {
      auto found = FilesIn(corpus);
      if (!found.ok()) Fail(found.error().message());
      files = *std::move(found);
    }
    for (const fs::path& file : files) {
      auto input = ReadFile(file);
      if (!input.ok()) Fail(input.error().message());
      inputs.push_back(*std::move(input));
    }
  }
  return inputs;
}

void ReportHang(int) {
  constexpr std::string_view kText = "timeout: the target hangs\n";
  static_cast<void>(!write(STDERR_FILENO, kText.data(), kText.size()));
  abort();  // the sanitizer may hold locks: print no stack
}

// Runs single inputs, and leaves the last one in a file.
class Runner {
 public:
  Runner(fs::path file, uint64_t timeout)
      : file_(std::move(file)),
        timeout_(static_cast<unsigned>(timeout)),
        kept_(
            open(file_.c_str(), O_CREAT | O_TRUNC | O_RDWR | O_CLOEXEC, 0644)) {
    if (kept_.number() < 0) Fail("cannot write " + file_.string());
    signal(SIGALRM, ReportHang);
  }
  // All inputs were survived.
  ~Runner() {
    alarm(0);
    std::error_code ignored;
    fs::remove(file_, ignored);
  }
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  void Run(const std::string& input) {
    const int file = kept_.number();
    const auto size = static_cast<off_t>(input.size());
    CHECK(ftruncate(file, size) == 0);
    CHECK(pwrite(file, input.data(), input.size(), 0) == size);
    alarm(timeout_);
    // A copy of exactly this size: the sanitizer sees a read past its end. As
    // with libFuzzer, not even an empty input is at the null pointer.
    const auto bytes = std::make_unique<uint8_t[]>(input.size());
    std::ranges::copy(input, bytes.get());
    LLVMFuzzerTestOneInput(bytes.get(), input.size());
    ++runs_;
  }
  uint64_t runs() const { return runs_; }

 private:
  fs::path file_;
  unsigned timeout_;
  Descriptor kept_;
  uint64_t runs_ = 0;
};

// Sizes grow with time from that of usual seeds to 64 KiB.
size_t LongestAfter(double share) {
  constexpr double kFirst = 4096;
  constexpr double kDoublings = 4;
  return static_cast<size_t>(kFirst * std::exp2(kDoublings * share));
}

int Main(int count, char** arguments) {
  const DriverFlags flags = ParseFlags(count, arguments);
  const std::string name = fs::path(arguments[0]).filename().string();
  const std::vector<std::string> seeds = ReadCorpora(flags.corpora);
  if (seeds.empty()) Fail("no seeds: name a folder with files");
  Runner runner(flags.folder + name + ".input", flags.timeout);
  runner.Run("");
  for (const std::string& seed : seeds) runner.Run(seed);

  using std::chrono::steady_clock;
  const auto begun = steady_clock::now();
  const std::chrono::duration<double> limit =
      std::chrono::seconds(flags.seconds);
  Mutator mutator(flags.seed, seeds);
  fmt::print(stderr, "{}: {} seeds survived; seed {}, {} s\n", name,
             seeds.size(), flags.seed, flags.seconds);
  while (true) {
    const std::chrono::duration<double> passed = steady_clock::now() - begun;
    if (passed >= limit) break;
    runner.Run(mutator.Next(LongestAfter(passed / limit)));
  }
  fmt::print(stderr, "{}: {} inputs survived\n", name, runner.runs());
  return 0;
}

}  // namespace
}  // namespace mete

int main(int count, char** arguments) { return mete::Main(count, arguments); }
