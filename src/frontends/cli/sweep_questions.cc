#include "cli/sweep_questions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "measure/application_bounds.h"
#include "measure/torch_program.h"
#include "reference_networks/architecture.h"
#include "reference_networks/data_set.h"
#include "support/command_line.h"
#include "support/nearest.h"
#include "support/text.h"
#include "sweep/reference_workload.h"
#include "sweep/run_sweep.h"
#include "sweep/sweep_text.h"

namespace mete {
namespace {

using Arguments = std::vector<std::string>;
// Converts an answer to an argument, or returns why it is invalid.
using Reader = std::function<Result<std::string>(const std::string&)>;

constexpr size_t kColumns = 79;
const char* const kBisect = "bisect";

std::string Trimmed(const std::string& text) {
  size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::string Lower(std::string text) {
  for (char& c : text) {
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return text;
}

// A non-breaking space.
constexpr std::string_view kTie = "\u00A0";

// Wraps long questions.
std::string Question(const std::string& text, const std::string& usual) {
  std::string whole = usual.empty() ? text : text + " [" + usual + "]";
  std::string question;
  for (const std::string& line : WrapLines(whole, kColumns - 4)) {
    question += (question.empty() ? "" : "\n  ") + line;
  }
  for (size_t at = question.find(kTie); at != std::string::npos;
       at = question.find(kTie)) {
    question.replace(at, kTie.size(), " ");
  }
  return question + ": ";
}

// Returns "training" for "1", "Training" and "train". A prefix must be unique.
Result<std::string> Choose(const Arguments& options,
                           const std::string& answer) {
  auto number = ParseCount(answer);
  if (number.ok() && *number >= 1 && *number <= options.size()) {
    return options[*number - 1];
  }
  std::string requested = Lower(answer);
  Arguments begun;
  for (const std::string& option : options) {
    if (Lower(option) == requested) return option;
    if (Lower(option).starts_with(requested)) begun.push_back(option);
  }
  if (begun.size() == 1) return begun[0];
  return InvalidInput(fmt::format("'{}' is not one of the choices{}", answer,
                                  DidYouMean(answer, options)));
}

Result<std::string> ReadFolder(const std::string& answer) {
  std::error_code error;
  if (!std::filesystem::is_directory(answer, error)) {
    return NotFound("'" + answer + "' is not a folder");
  }
  return answer;
}

Result<std::string> ReadNetworkFile(const std::string& answer) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(answer, error)) {
    return NotFound("'" + answer + "' is not a file");
  }
  // Must not be parsed as a flag.
  return answer.starts_with('-') ? "./" + answer : answer;
}

Result<std::string> ReadEpochs(const std::string& answer) {
  ASSIGN_OR_RETURN(uint64_t epochs, ParseCount(answer));
  if (epochs == 0) return InvalidInput("must be at least 1");
  return std::to_string(epochs);
}

Result<std::string> ReadCommand(const std::string& answer) {
  auto arguments = SplitCommandLine(answer);
  return arguments.ok() ? Result<std::string>(answer) : arguments.error();
}

Result<std::string> ReadImage(const std::string& answer) {
  // It must not be parsed as a flag, and no reference contains a space.
  if (answer.starts_with('-') || answer.find(' ') != std::string::npos) {
    return InvalidInput("'" + answer + "' is not the name of an image");
  }
  return answer;
}

const char* const kNoArguments = "none";

// Where training leaves its weights, and where inference looks for them.
std::string CheckpointFolder(const std::string& network,
                             const std::string& dataset) {
  return "checkpoints/" + network + "-" + dataset;
}

// Describes one of the two limits: memory or CPUs.
struct LimitKind {
  const char* name;
  uint64_t least;  // bytes or thousandths of a CPU
  uint64_t most;
  std::function<Result<uint64_t>(const std::string&)> parse;
  std::string (*format)(uint64_t);            // for display
  std::function<std::string(uint64_t)> word;  // for the command line
  uint64_t upper;  // default, if the machine has that much
  uint64_t lower;
  std::string step;
};

Result<uint64_t> MemoryValue(const std::string& text) {
  if (text == "0") return uint64_t{0};  // a step; has its own message
  ASSIGN_OR_RETURN(Bytes bytes, ParseMemoryLimit(text));
  return bytes.count;
}
Result<uint64_t> CpuValue(const std::string& text) {
  ASSIGN_OR_RETURN(Millicores cpus, ParseMillicores(text));
  return static_cast<uint64_t>(cpus.count);
}

LimitKind MemoryKind(const SweepMachine& machine) {
  return {
      .name = "memory",
      .least = kLeastMemory,
      .most = machine.memory.count,
      .parse = MemoryValue,
      .format = MemoryText,
      .word = [](uint64_t bytes) { return fmt::format("{}Mi", bytes / kMebi); },
      .upper = 512 * kMebi,
      .lower = 32 * kMebi,
      .step = kBisect};
}

LimitKind CpuKind(const SweepMachine& machine) {
  return {.name = "CPU",
          .least = kLeastMillicores,
          .most = static_cast<uint64_t>(machine.cpus.count),
          .parse = CpuValue,
          .format = CpusText,
          .word =
              [](uint64_t millicores) {
                return fmt::format("{:g}",
                                   static_cast<double>(millicores) / 1000);
              },
          .upper = 1000,
          .lower = 100,
          .step = "0.1"};
}

class Interview {
 public:
  Interview(Dialogue& dialogue, const SweepMachine& machine)
      : dialogue_(dialogue), machine_(machine) {}

  Result<SweepWishes> Go(const std::function<Status()>& find_torch) {
    SweepWishes wishes;
    ASSIGN_OR_RETURN(
        std::string what,
        AskChoice("what to sweep",
                  {"training", "inference", "ONNX file", "command", "image"},
                  "training"));
    if (what == "ONNX file") {
      ASSIGN_OR_RETURN(wishes.network,
                       Ask("network file", "", ReadNetworkFile));
    } else if (what == "command") {
      RETURN_IF_ERROR(AskCommand(wishes));
    } else if (what == "image") {
      RETURN_IF_ERROR(AskImage(wishes));
    } else {
      RETURN_IF_ERROR(find_torch());
      RETURN_IF_ERROR(AskReference(what == "training", wishes));
    }
    ASSIGN_OR_RETURN(std::string limit,
                     AskChoice("limit", {"memory", "CPUs"}, "memory"));
    RETURN_IF_ERROR(AskLimits(limit == "memory", wishes));
    dialogue_.Say(JoinCommandLine(MakeArguments(wishes)));
    return AskToStart(std::move(wishes));
  }

 private:
  static Error Ended() {
    return Error(ErrorCode::kInterrupted, "nothing was started");
  }

  // An empty answer selects the default.
  Result<std::string> Ask(const std::string& question, const std::string& usual,
                          const Reader& read) {
    while (true) {
      auto answer = dialogue_.Ask(Question(question, usual));
      if (!answer) return Ended();
      std::string text = Trimmed(*answer);
      if (text.empty()) text = usual;
      Result<std::string> value =
          text.empty() ? InvalidInput("an answer is required") : read(text);
      if (value.ok()) return value;
      dialogue_.Say("  " + value.error().message());
    }
  }

  Result<std::string> AskChoice(const std::string& question,
                                const Arguments& options,
                                const std::string& usual) {
    std::string list;
    for (size_t i = 0; i < options.size(); ++i) {
      list +=
          fmt::format("{}{}{}{}", i == 0 ? " " : ", ", i + 1, kTie, options[i]);
    }
    return Ask(question + ":" + list, usual, [&](const std::string& answer) {
      return Choose(options, answer);
    });
  }

  Status AskReference(bool training, SweepWishes& wishes) {
    wishes.command = {std::string(kTorchProgram), training ? "train" : "infer"};
    auto add = [&](const char* flag, const std::string& value) {
      wishes.command.insert(wishes.command.end(), {flag, value});
    };
    ASSIGN_OR_RETURN(std::string dataset,
                     AskChoice("dataset", DataSetNames(), kUsualDataSet));
    std::string folder;
    if (dataset != kUsualDataSet) {
      ASSIGN_OR_RETURN(folder, Ask("folder of " + dataset, "", ReadFolder));
    }
    ASSIGN_OR_RETURN(std::string network,
                     AskChoice("network", ArchitectureNames(), kUsualNetwork));
    add("--network", network);
    add("--dataset", dataset);
    if (!folder.empty()) add("--data-dir", folder);
    const std::string saved = CheckpointFolder(network, dataset);
    if (!training) {
      UseTrained(saved, wishes);
      return {};
    }
    ASSIGN_OR_RETURN(std::string epochs, Ask("epochs", "10", ReadEpochs));
    add("--epochs", epochs);
    wishes.command.push_back("--no-onnx");  // one per run would be too many
    // Every run starts over and leaves what inference loads.
    add("--checkpoint", saved);
    wishes.command.push_back("--fresh");
    return {};
  }

  // Inference uses the weights that a training from this prompt has left.
  void UseTrained(const std::string& saved, SweepWishes& wishes) {
    std::error_code error;
    if (std::filesystem::exists(std::filesystem::path(saved) / "best.pt",
                                error)) {
      wishes.command.insert(wishes.command.end(), {"--checkpoint", saved});
      return;
    }
    dialogue_.Say("  " + saved +
                  " has no trained network: the weights are random");
  }

  Status AskImage(SweepWishes& wishes) {
    ASSIGN_OR_RETURN(wishes.image, Ask("image", "", ReadImage));
    ASSIGN_OR_RETURN(std::string line,
                     Ask("arguments of the image", kNoArguments, ReadCommand));
    if (line != kNoArguments) wishes.command = SplitCommandLine(line).value();
    return {};
  }

  Status AskCommand(SweepWishes& wishes) {
    ASSIGN_OR_RETURN(std::string line, Ask("command", "", ReadCommand));
    wishes.command = SplitCommandLine(line).value();
    return {};
  }

  Status AskLimits(bool memory, SweepWishes& wishes) {
    LimitKind kind = memory ? MemoryKind(machine_) : CpuKind(machine_);
    uint64_t usual = std::min(kind.upper, kind.most);
    ASSIGN_OR_RETURN(std::string upper,
                     AskLimit(kind,
                              fmt::format("upper {} limit, at most {}",
                                          kind.name, kind.format(kind.most)),
                              usual, kind.most));
    uint64_t from = kind.parse(upper).value();
    ASSIGN_OR_RETURN(
        std::string lower,
        AskLimit(kind,
                 fmt::format("lower {} limit, at least {}", kind.name,
                             kind.format(kind.least)),
                 from > kind.lower ? kind.lower : kind.least, from));
    uint64_t way = from - kind.parse(lower).value();
    ASSIGN_OR_RETURN(std::string step, AskStep(kind, way));
    wishes.bisect = step == kBisect;
    std::string range = upper + ":" + lower;
    if (!wishes.bisect) range += ":" + step;
    (memory ? wishes.memory : wishes.cpus) = range;
    return {};
  }

  Result<std::string> AskLimit(const LimitKind& kind,
                               const std::string& question, uint64_t usual,
                               uint64_t most) {
    return Ask(
        question, kind.word(usual),
        [&](const std::string& answer) -> Result<std::string> {
          ASSIGN_OR_RETURN(uint64_t value, kind.parse(answer));
          if (value < kind.least) {
            return InvalidInput(fmt::format("{} is less than {}",
                                            kind.format(value),
                                            kind.format(kind.least)));
          }
          if (value > most) {
            return InvalidInput(fmt::format(
                "{} is more than {}", kind.format(value), kind.format(most)));
          }
          return answer;
        });
  }

  Result<std::string> AskStep(const LimitKind& kind, uint64_t way) {
    return Ask("step size, or bisect", kind.step,
               [&](const std::string& answer) -> Result<std::string> {
                 if (Lower(answer) == kBisect) return std::string(kBisect);
                 ASSIGN_OR_RETURN(uint64_t step, kind.parse(answer));
                 if (step == 0) {
                   return InvalidInput("the step must be positive");
                 }
                 // The default step is also valid for a short range.
                 if (step > way && answer != kind.step) {
                   return InvalidInput("the step exceeds the range of " +
                                       kind.format(way));
                 }
                 return answer;
               });
  }

  Result<SweepWishes> AskToStart(SweepWishes wishes) {
    Arguments options = {"yes", "no"};
    while (true) {
      auto answer = dialogue_.Ask("start? [Y/n] ");
      if (!answer) return Ended();
      std::string text = Trimmed(*answer);
      auto chosen = Choose(options, text.empty() ? "yes" : text);
      if (chosen.ok() && *chosen == "yes") return wishes;
      if (chosen.ok()) return Ended();
      dialogue_.Say("  answer y or n");
    }
  }

  Dialogue& dialogue_;
  const SweepMachine& machine_;
};

}  // namespace

Arguments MakeArguments(const SweepWishes& wishes) {
  Arguments arguments = {"mete", "sweep"};
  if (wishes.memory)
    arguments.insert(arguments.end(), {"--memory", *wishes.memory});
  if (wishes.cpus) arguments.insert(arguments.end(), {"--cpus", *wishes.cpus});
  if (wishes.bisect) arguments.insert(arguments.end(), {"--search", kBisect});
  if (!wishes.network.empty()) {
    arguments.push_back(wishes.network);
    return arguments;
  }
  if (!wishes.image.empty()) {
    arguments.insert(arguments.end(), {"--image", wishes.image});
    if (wishes.command.empty()) return arguments;
  }
  arguments.emplace_back("--");
  arguments.insert(arguments.end(), wishes.command.begin(),
                   wishes.command.end());
  return arguments;
}

Result<SweepWishes> AskForSweep(Dialogue& dialogue, const SweepMachine& machine,
                                const std::function<Status()>& find_torch) {
  return Interview(dialogue, machine).Go(find_torch);
}

}  // namespace mete
