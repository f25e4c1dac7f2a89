#include "linux/tegrastats.h"

#include <algorithm>

#include "linux/numbers.h"
#include "linux/system_root.h"
#include "support/text.h"

namespace mete {
namespace {

bool EndsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() &&
         text.substr(text.size() - end.size()) == end;
}

// "20%" -> 0.2.
std::optional<double> Share(std::string_view text) {
  if (!EndsWith(text, "%")) return std::nullopt;
  auto percent = Decimal(text.substr(0, text.size() - 1));
  if (!percent) return std::nullopt;
  return *percent / 100;
}

std::optional<double> Hertz(std::string_view megahertz) {
  auto number = Decimal(megahertz);
  if (!number) return std::nullopt;
  return *number * 1e6;
}

// "3964MB", "252kB"; the tool divides by 1024.
std::optional<Bytes> Size(std::string_view text) {
  const size_t digits = text.find_first_not_of("0123456789");
  if (digits == std::string_view::npos) return std::nullopt;
  auto number = WholeNumber(text.substr(0, digits));
  const std::string_view unit = text.substr(digits);
  if (!number) return std::nullopt;
  if (unit == "B") return Bytes{*number};
  if (unit == "kB") return Kibibytes(*number);
  if (unit == "MB") return Mebibytes(*number);
  if (unit == "GB") return Gibibytes(*number);
  return std::nullopt;
}

// "1363/3964MB": one unit for both numbers.
std::optional<TegraMemory> Memory(std::string_view text) {
  const size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  auto total = Size(text.substr(slash + 1));
  if (!total) return std::nullopt;
  const size_t unit = text.find_first_not_of("0123456789", slash + 1);
  auto used =
      Size(std::string(text.substr(0, slash)) + std::string(text.substr(unit)));
  if (!used) return std::nullopt;
  return TegraMemory{.used = *used, .total = *total};
}

// "305" or "[305,0]", in megahertz.
std::vector<double> Clocks(std::string_view text) {
  if (text.substr(0, 1) == "[") {
    if (!EndsWith(text, "]")) return {};
    text = text.substr(1, text.size() - 2);
  }
  std::vector<double> clocks;
  for (const std::string& part : SplitAt(text, ',')) {
    if (auto hz = Hertz(part)) clocks.push_back(*hz);
  }
  return clocks;
}

bool IsOff(std::string_view text) { return text == "off" || text == "OFF"; }

// "12%", "12%@305", "12%@[305,0]", "25" (megahertz) or "off".
std::optional<TegraEngine> Engine(std::string_view name,
                                  std::string_view value) {
  TegraEngine engine{.name = std::string(name)};
  if (IsOff(value)) return engine;
  if (auto hz = Hertz(value)) {
    engine.hz.push_back(*hz);
    return engine;
  }
  const size_t at = value.find('@');
  engine.load = Share(value.substr(0, at));
  if (!engine.load) return std::nullopt;
  if (at != std::string_view::npos) engine.hz = Clocks(value.substr(at + 1));
  return engine;
}

// "[21%@1224,off]", or before release 28.2 "[21%,18%]@1224" with one frequency
// for all cores.
std::vector<std::optional<TegraCore>> Cores(std::string_view text) {
  std::vector<std::optional<TegraCore>> cores;
  const size_t end = text.find(']');
  if (end == std::string_view::npos) return cores;
  std::optional<double> shared;
  if (text.substr(end + 1, 1) == "@") shared = Hertz(text.substr(end + 2));
  for (const std::string& part : SplitAt(text.substr(1, end - 1), ',')) {
    auto engine = Engine("", part);
    std::optional<TegraCore> core;
    if (engine && engine->load) {
      core = TegraCore{.load = *engine->load, .hz = shared};
      if (!engine->hz.empty()) core->hz = engine->hz[0];
    }
    cores.push_back(core);
  }
  return cores;
}

// "2532" in milliwatts, "4220mW" on newer releases.
std::optional<Watts> Power(std::string_view text) {
  if (EndsWith(text, "mW")) text.remove_suffix(2);
  auto milliwatts = WholeNumber(text);
  if (!milliwatts) return std::nullopt;
  return Watts{static_cast<double>(*milliwatts) / 1000};
}

std::optional<TegraRail> Rail(std::string_view name, std::string_view value) {
  const size_t slash = value.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  auto now = Power(value.substr(0, slash));
  auto average = Power(value.substr(slash + 1));
  if (!now || !average) return std::nullopt;
  return TegraRail{std::string(name), *now, *average};
}

// Parses a line into a sample. The value of a token is the token after it.
class LineReader {
 public:
  std::optional<Tegrastats> Read(std::string_view line) {
    // Turns "(lfb 2x1MB)" and "252kB(lfb 252kB)" into ordinary tokens.
    std::string plain(line);
    std::replace(plain.begin(), plain.end(), '(', ' ');
    std::replace(plain.begin(), plain.end(), ')', ' ');
    const std::vector<std::string_view> words = SplitFields(plain);
    bool known = false;
    for (size_t i = 0; i < words.size(); ++i) {
      if (TakeTemperature(words[i])) {
        known = true;
      } else if (i + 1 < words.size() && Take(words[i], words[i + 1])) {
        known = true;
        ++i;
      }
    }
    if (!known) return std::nullopt;
    return sample_;
  }

 private:
  // "CPU@40.5C". A sensor without power reports -256.
  bool TakeTemperature(std::string_view word) {
    const size_t at = word.find('@');
    if (at == std::string_view::npos || at == 0 || !EndsWith(word, "C")) {
      return false;
    }
    auto celsius = Decimal(word.substr(at + 1, word.size() - at - 2));
    if (!celsius) return false;
    if (*celsius > -40 && *celsius < 150) {
      sample_.temperatures.push_back(
          {std::string(word.substr(0, at)), *celsius});
    }
    return true;
  }

  bool Take(std::string_view name, std::string_view value) {
    if (name == "lfb") return TakeFreeBlock(value);
    if (name == "cached") return TakeCached(value);
    if (name == "fg") return TakeShare(value, sample_.translation_foreground);
    if (name == "bg") return TakeShare(value, sample_.translation_background);
    if (name == "RAM") return TakeMemory(value, sample_.ram);
    if (name == "SWAP") return TakeMemory(value, sample_.swap);
    if (name == "IRAM") return TakeMemory(value, sample_.iram);
    const char first = name.front();
    if ((first < 'A' || first > 'Z') && (first < 'a' || first > 'z')) {
      return false;  // the leading date
    }
    // Xavier also names rails "CPU" and "GPU".
    if (value.front() == '[') return TakeCores(name, value);
    if (auto rail = Rail(name, value)) {
      sample_.rails.push_back(*rail);
      return true;
    }
    auto engine = Engine(name, value);
    if (engine) sample_.engines.push_back(*engine);
    return engine.has_value();
  }

  bool TakeMemory(std::string_view value, std::optional<TegraMemory>& memory) {
    memory = Memory(value);
    last_ = memory ? &memory : nullptr;
    return memory.has_value();
  }

  // "2x1MB", or "252kB" for IRAM.
  bool TakeFreeBlock(std::string_view value) {
    if (last_ == nullptr) return false;
    const size_t times = value.find('x');
    if (times == std::string_view::npos) {
      (*last_)->free_block = Size(value);
    } else {
      (*last_)->free_blocks = WholeNumber(value.substr(0, times));
      (*last_)->free_block = Size(value.substr(times + 1));
    }
    return true;
  }

  bool TakeCached(std::string_view value) {
    if (last_ == nullptr) return false;
    (*last_)->cached = Size(value);
    return true;
  }

  static bool TakeShare(std::string_view value, std::optional<double>& share) {
    share = Share(value);
    return share.has_value();
  }

  bool TakeCores(std::string_view name, std::string_view value) {
    if (name != "CPU" && name != "cpu") return false;
    sample_.cores = Cores(value);
    return !sample_.cores.empty();
  }

  Tegrastats sample_;
  // The memory that a following "lfb" or "cached" belongs to.
  std::optional<TegraMemory>* last_ = nullptr;
};

}  // namespace

Result<Tegrastats> ParseTegrastats(std::string_view line) {
  auto sample = LineReader().Read(line);
  if (!sample) {
    return Corrupt("parse tegrastats line: no known field in: " +
                   std::string(Trimmed(line.substr(0, 80))));
  }
  return *sample;
}

}  // namespace mete
