#include "cli/zoo_command.h"

#include <fmt/format.h>

#include "describe/describe.h"
#include "support/json.h"
#include "zoo/build.h"
#include "zoo/zoo.h"

namespace mete {
namespace {

struct ZooFlags {
  std::string folder;
  std::vector<std::string> only;
  uint64_t count = 0;
  uint64_t seed = 0;
};

// An entry with its cost for one item; absent if that depends on the data.
struct ListedNetwork {
  ZooEntry entry;
  std::optional<uint64_t> flops;
};

std::optional<uint64_t> CountFlops(const std::string& name) {
  auto draft = MakeDraft(name, 0);
  if (!draft.ok()) return std::nullopt;
  Network network{.operator_sets = std::move(draft->other_operator_sets)};
  network.operator_sets.push_back({.domain = "", .version = draft->opset});
  network.graph = std::move(draft->graph);
  auto described = Describe(network, {});
  return described.ok() ? described->flops : std::nullopt;
}

std::vector<ListedNetwork> ListZoo() {
  std::vector<ListedNetwork> listed;
  for (ZooEntry& entry : ZooEntries()) {
    const auto flops = CountFlops(entry.name);
    listed.push_back({.entry = std::move(entry), .flops = flops});
  }
  return listed;
}

// The shape of one item. The batch dimension is always open.
std::string ItemShape(const ZooEntry& entry) {
  return FormatShape(
      Shape(entry.input_shape.begin() + 1, entry.input_shape.end()));
}

std::string EntriesText(const std::vector<ListedNetwork>& listed) {
  Table table({{"name"},
               {"input"},
               {"parameters", Align::kRight},
               {"FLOPs", Align::kRight},
               {"description"}});
  for (const auto& [entry, flops] : listed) {
    table.AddRow({entry.name, ItemShape(entry),
                  FormatCount(entry.trainable_parameters),
                  flops ? FormatScaled(static_cast<double>(*flops)) : "-",
                  entry.summary});
  }
  return table.Text();
}

std::string EntriesCsv(const std::vector<ListedNetwork>& listed) {
  Table table({{"name"},
               {"kind"},
               {"input_shape"},
               {"trainable_parameters"},
               {"flops"},
               {"summary"}});
  for (const auto& [entry, flops] : listed) {
    table.AddRow({entry.name, entry.kind, FormatShape(entry.input_shape),
                  std::to_string(entry.trainable_parameters),
                  flops ? std::to_string(*flops) : "", entry.summary});
  }
  return table.Csv();
}

Json EntriesJson(const std::vector<ListedNetwork>& listed) {
  Json json = Json::array();
  for (const auto& [entry, flops] : listed) {
    Json row{{"name", entry.name},
             {"kind", entry.kind},
             {"input_shape", FormatShape(entry.input_shape)},
             {"trainable_parameters", entry.trainable_parameters}};
    if (flops) row["flops"] = *flops;
    row["summary"] = entry.summary;
    json.push_back(std::move(row));
  }
  return json;
}

std::string BuiltText(const std::vector<BuiltNetwork>& networks) {
  Table table({{"network"},
               {"parameters", Align::kRight},
               {"size", Align::kRight},
               {"file"}});
  for (const BuiltNetwork& network : networks) {
    table.AddRow({network.name, FormatCount(network.parameters),
                  FormatBytes(network.bytes), network.path.string()});
  }
  return table.Text();
}

std::string BuiltCsv(const std::vector<BuiltNetwork>& networks) {
  Table table({{"name"}, {"path"}, {"bytes"}, {"trainable_parameters"}});
  for (const BuiltNetwork& network : networks) {
    table.AddRow({network.name, network.path.string(),
                  std::to_string(network.bytes.count),
                  std::to_string(network.parameters)});
  }
  return table.Csv();
}

Json BuiltJson(const std::vector<BuiltNetwork>& networks) {
  Json json = Json::array();
  for (const BuiltNetwork& network : networks) {
    json.push_back({{"name", network.name},
                    {"path", network.path.string()},
                    {"bytes", network.bytes.count},
                    {"trainable_parameters", network.parameters}});
  }
  return json;
}

Result<ExitCode> PrintZoo(Invocation& invocation) {
  const std::vector<ListedNetwork> entries = ListZoo();
  invocation.output.Print({
      .text = [&] { return EntriesText(entries); },
      .json = [&] { return EntriesJson(entries); },
      .csv = [&] { return EntriesCsv(entries); },
  });
  return ExitCode::kDone;
}

OnBuildProgress ShowBuildProgress(Console& console) {
  return [&console](const BuildProgress& progress) {
    console.Progress(fmt::format("[{}/{}] wrote {}", progress.done,
                                 progress.total, progress.last.name));
  };
}

Result<ExitCode> PrintBuilt(Invocation& invocation,
                            const Result<std::vector<BuiltNetwork>>& built) {
  invocation.console.ClearProgress();
  if (!built.ok()) return built.error();
  invocation.output.Print({
      .text = [&] { return BuiltText(*built); },
      .json = [&] { return BuiltJson(*built); },
      .csv = [&] { return BuiltCsv(*built); },
  });
  return ExitCode::kDone;
}

void AddList(Command zoo, Verbs& verbs) {
  Command command = zoo.Add(
      "list", "List the networks and applications of the zoo", "mete zoo list");
  verbs.push_back({.command = command, .run = PrintZoo});
}

void AddBuild(Command zoo, Verbs& verbs, Lazy<ZooDependencies> dependencies) {
  auto flags = std::make_shared<ZooFlags>();
  Command command =
      zoo.Add("build", "Write networks with seeded weights as ONNX files",
              "mete zoo build nets --only lenet5 mobilenet-v2");
  command.Option("DIR", flags->folder, "Folder to write to").Required();
  command
      .Option("--only", flags->only,
              "Networks to write (default: all, about 3 GB)")
      .Check(CheckZooName, "NAME...");
  command
      .Option("--seed", flags->seed, "Random seed for the weights (default 0)")
      .Check(ParseCount, "N");
  auto run = [flags, dependencies](Invocation& invocation) -> Result<ExitCode> {
    ASSIGN_OR_RETURN(ZooDependencies needs, dependencies());
    return PrintBuilt(
        invocation,
        BuildZoo({.folder = flags->folder,
                  .names = flags->only,
                  .seed = flags->seed},
                 needs.writer, ShowBuildProgress(invocation.console),
                 invocation.stop));
  };
  verbs.push_back({.command = command, .run = run, .interruptible = true});
}

void AddSample(Command zoo, Verbs& verbs, Lazy<ZooDependencies> dependencies) {
  auto flags = std::make_shared<ZooFlags>();
  Command command =
      zoo.Add("sample", "Write random network variants for training predictors",
              "mete zoo sample nets --count 20 --seed 1");
  command.Option("DIR", flags->folder, "Folder to write to").Required();
  command.Option("--count", flags->count, "Number of variants (required)")
      .Required()
      .Within(1, 100'000);
  command
      .Option("--seed", flags->seed, "Random seed for the variants (default 0)")
      .Check(ParseCount, "N");
  auto run = [flags, dependencies](Invocation& invocation) -> Result<ExitCode> {
    ASSIGN_OR_RETURN(ZooDependencies needs, dependencies());
    return PrintBuilt(
        invocation,
        BuildSamples({.folder = flags->folder,
                      .count = flags->count,
                      .seed = flags->seed},
                     needs.writer, ShowBuildProgress(invocation.console),
                     invocation.stop));
  };
  verbs.push_back({.command = command, .run = run, .interruptible = true});
}

}  // namespace

void AddZooCommand(Command root, Verbs& verbs,
                   Lazy<ZooDependencies> dependencies) {
  Command zoo = root.Add("zoo", "Write well-known networks as ONNX files",
                         "mete zoo build nets --only resnet18");
  zoo.WantsSubcommand();
  AddList(zoo, verbs);
  AddBuild(zoo, verbs, dependencies);
  AddSample(zoo, verbs, dependencies);
}

}  // namespace mete
