// mete describe: prints a network's characteristics without running it.
#include "cli/describe_command.h"

#include "describe/characteristics_json.h"
#include "describe/characteristics_table.h"
#include "describe/describe.h"
#include "domain/input_shapes.h"
#include "support/json.h"

namespace mete {
namespace {

struct DescribeFlags {
  std::vector<std::string> networks;
  std::vector<std::string> shapes;
  int64_t batch = 1;
  bool layers = false;
  std::optional<uint64_t> top;
};

struct Described {
  std::string path;
  Characteristics characteristics;
};

Result<Described> DescribeFile(const std::string& path,
                               const DescribeRequest& request,
                               GraphReader& reader) {
  ASSIGN_OR_RETURN(Network network, reader.Read(path));
  ASSIGN_OR_RETURN(Characteristics characteristics,
                   Describe(network, request).While("describe " + path));
  RETURN_IF_ERROR(CheckBatch(characteristics.inputs, request.batch)
                      .While("describe " + path));
  return Described{path, std::move(characteristics)};
}

std::string Text(const std::vector<Described>& all,
                 const DescribeFlags& flags) {
  std::string text;
  for (const Described& one : all) {
    if (!text.empty()) text += '\n';
    if (all.size() > 1) text += one.path + '\n';
    text += MetricsForPeople(one.characteristics).Text();
    if (!flags.layers) continue;
    text += '\n' + OperatorsForPeople(one.characteristics).Text();
    text += '\n' +
            LayersForPeople(one.characteristics, flags.top.value_or(SIZE_MAX))
                .Text();
  }
  return text;
}

// Returns one object for one network, a list for several.
Json ToJson(const std::vector<Described>& all) {
  if (all.size() == 1) return ToJson(all[0].characteristics);
  Json list = Json::array();
  for (const Described& one : all) {
    Json json = ToJson(one.characteristics);
    json["path"] = one.path;
    list.push_back(std::move(json));
  }
  return list;
}

// Adds a column with the network in front. The header is printed once.
std::string Csv(const std::vector<Described>& all, const DescribeFlags& flags) {
  std::string text;
  for (const Described& one : all) {
    Table table = flags.layers ? LayersAsRows(one.characteristics)
                               : MetricsAsRow(one.characteristics);
    table.AddFirstColumn({"network"}, one.path);
    std::string csv = table.Csv();
    text += text.empty() ? csv : csv.substr(csv.find('\n') + 1);
  }
  return text;
}

Result<ExitCode> DescribeAll(Invocation& invocation, const DescribeFlags& flags,
                             GraphReader& reader) {
  DescribeRequest request{.batch = flags.batch, .layers = flags.layers};
  for (const std::string& shape : flags.shapes) {
    ASSIGN_OR_RETURN(ShapeOverride given, ParseShapeOverride(shape));
    request.shapes.push_back(std::move(given));
  }
  std::vector<Described> all;
  for (const std::string& path : flags.networks) {
    ASSIGN_OR_RETURN(Described one, DescribeFile(path, request, reader));
    for (const std::string& note : one.characteristics.notes) {
      invocation.console.Note("note: " + note);
    }
    all.push_back(std::move(one));
  }
  invocation.output.Print({
      .text = [&] { return Text(all, flags); },
      .json = [&] { return ToJson(all); },
      .csv = [&] { return Csv(all, flags); },
  });
  return ExitCode::kDone;
}

}  // namespace

void AddDescribeCommand(Command root, Verbs& verbs,
                        Lazy<DescribeDependencies> dependencies) {
  auto flags = std::make_shared<DescribeFlags>();
  Command command = root.Add(
      "describe", "Print characteristics of a network without running it",
      "mete describe resnet18.onnx --layers");
  command.Option("NET.onnx", flags->networks, "Network file").Required();
  Flag layers = command.Switch(
      "--layers", flags->layers,
      "Also list the operators and every layer, most multiply-adds first");
  command
      .Option("--top", flags->top,
              "With --layers: list only this many layers in the table")
      .Check(ParseCount, "N")
      .Within(1, 1'000'000)
      .Needs(layers);
  command
      .Option("--shape", flags->shapes,
              "Shape of an input, e.g. input=1x3x224x224")
      .Check(ParseShapeOverride, "NAME=SIZES")
      .OneEach();
  command
      .Option("--batch", flags->batch,
              "Batch size for inputs with an open batch dimension (default 1)")
      .Within(1, 1'000'000);
  verbs.push_back(
      {.command = command,
       .run = [flags,
               dependencies](Invocation& invocation) -> Result<ExitCode> {
         ASSIGN_OR_RETURN(DescribeDependencies needs, dependencies());
         return UsageIfInvalid(invocation,
                               DescribeAll(invocation, *flags, needs.reader));
       }});
}

}  // namespace mete
