// mete place scenario: writes NeuRO's random problems as files.
#include <fmt/format.h>

#include "cli/place_actions.h"
#include "place/cost_table.h"
#include "place/problem_yaml.h"
#include "place/scenario.h"
#include "place/synthetic_costs.h"
#include "support/file.h"
#include "support/json.h"
#include "support/table.h"

namespace mete {
namespace {

struct ScenarioFlags {
  std::string kind;
  int servers = 10;
  std::string memory = "32Gi";
  std::string rank_low = "0.5";
  uint64_t seed = 1;
  std::string folder;
};

Status WriteScenario(const PlacementProblem& problem,
                     const ScenarioRequest& request,
                     const std::filesystem::path& folder) {
  RETURN_IF_ERROR(MakeFolder(folder));
  const std::string origin = fmt::format(
      "# Scenario {} of NeuRO: {} with {} each, seed {}.\n"
      "# The draws follow NeuRO; the cost tables are synthetic.\n",
      ToString(request.kind), Counted(uint64_t(request.servers), "server"),
      FormatBytes(request.memory), request.seed);
  RETURN_IF_ERROR(WriteFileAtomically(folder / "apps.yaml",
                                      origin + AppsYaml(problem.apps)));
  RETURN_IF_ERROR(WriteFileAtomically(folder / "servers.yaml",
                                      origin + ServersYaml(problem.servers)));
  for (const ServerType& type : problem.servers) {
    const CostTable costs = MakeSyntheticCosts(
        type.name == kWeakServers ? kWeakServer : kStrongServer);
    RETURN_IF_ERROR(
        WriteFileAtomically(folder / type.costs, CostTableYaml(costs)));
  }
  return {};
}

Result<ExitCode> MakeScenarioFiles(Invocation& invocation,
                                   const ScenarioFlags& flags) {
  ScenarioRequest request{.servers = flags.servers, .seed = flags.seed};
  ASSIGN_OR_RETURN(request.kind, ParseScenarioKind(flags.kind));
  ASSIGN_OR_RETURN(request.memory, ParseBytes(flags.memory));
  ASSIGN_OR_RETURN(request.rank_low, ParseRatio(flags.rank_low));
  auto problem = MakeScenario(request);
  if (!problem.ok()) {
    invocation.console.Error("mete place scenario: " +
                             problem.error().message());
    return ExitCode::kUsage;
  }
  const std::filesystem::path folder = flags.folder;
  RETURN_IF_ERROR(WriteScenario(*problem, request, folder));
  Table table({{"file"}, {"content"}});
  table.AddRow({folder / "apps.yaml", Counted(problem->apps.size(), "app")});
  table.AddRow(
      {folder / "servers.yaml", Counted(uint64_t(request.servers), "server")});
  Json files = Json::array(
      {(folder / "apps.yaml").string(), (folder / "servers.yaml").string()});
  for (const ServerType& type : problem->servers) {
    table.AddRow({folder / type.costs, "synthetic costs of " + type.name});
    files.push_back((folder / type.costs).string());
  }
  invocation.output.Print({.text = [&] { return table.Text(); },
                           .json =
                               [&] {
                                 return Json{{"files", files}};
                               },
                           .csv = [&] { return table.Csv(); }});
  return ExitCode::kDone;
}

}  // namespace

void AddPlaceScenario(Command place, Verbs& verbs) {
  auto flags = std::make_shared<ScenarioFlags>();
  Command command =
      place.Add("scenario", "Write a random problem as NeuRO draws it",
                "mete place scenario s1 --servers 10 --seed 1 --out s1\n"
                "  mete place --apps s1/apps.yaml --servers s1/servers.yaml");
  command
      .Option("KIND", flags->kind, "s1, s2 or s3: few to many real-time apps")
      .Required()
      .Check(ParseScenarioKind, "KIND");
  command.Option("--servers", flags->servers, "Number of servers (default 10)")
      .Within(1, 100'000);
  command
      .Option("--memory", flags->memory, "Memory of each server (default 32Gi)")
      .Check(ParseBytes, "BYTES");
  command
      .Option("--rank-low", flags->rank_low,
              "Share of weak servers (default 0.5)")
      .Check(ParseRatio, "SHARE");
  command.Option("--seed", flags->seed, "Seed of the draws (default 1)");
  command.Option("--out", flags->folder, "Folder for the files")
      .Placeholder("FOLDER")
      .Required();
  verbs.push_back({.command = command, .run = [flags](Invocation& invocation) {
                     return MakeScenarioFiles(invocation, *flags);
                   }});
}

}  // namespace mete
