// Places every scenario of this folder and checks the facts that it states.
// README.md describes the files.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include "place/cost_table.h"
#include "place/place_apps.h"
#include "place/problem_yaml.h"
#include "support/file.h"
#include "support/text.h"

namespace mete {
namespace {

using Sections = std::map<std::string, std::string>;

Sections SplitSections(const std::string& text) {
  Sections sections;
  std::string name = "about";
  for (const std::string& line : SplitAt(text, '\n')) {
    if (line.starts_with("== ")) {
      name = line.substr(3);
    } else {
      sections[name] += line + "\n";
    }
  }
  return sections;
}

std::vector<std::vector<std::string>> WordsOfLines(const std::string& text) {
  std::vector<std::vector<std::string>> lines;
  for (const std::string& line : SplitAt(text, '\n')) {
    std::istringstream stream(line);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    if (!words.empty()) lines.push_back(std::move(words));
  }
  return lines;
}

Result<PlaceAppsRequest> ReadRequest(const Sections& sections) {
  PlaceAppsRequest request{.time_limit = Seconds(60), .gap = 0};
  ASSIGN_OR_RETURN(request.problem.apps,
                   ParseApps(sections.at("apps.yaml"), "apps.yaml"));
  ASSIGN_OR_RETURN(request.problem.servers,
                   ParseServers(sections.at("servers.yaml"), "servers.yaml"));
  auto options = sections.find("options");
  if (options == sections.end()) return request;
  for (const auto& words : WordsOfLines(options->second)) {
    if (words[0] == "objective") {
      ASSIGN_OR_RETURN(request.objective, ParsePlacementObjective(words[1]));
    } else if (words[0] == "method") {
      ASSIGN_OR_RETURN(request.method, ParsePlacementMethod(words[1]));
    } else if (words[0] == "seed") {
      request.seed = std::stoull(words[1]);
    } else {
      return InvalidInput("unknown option " + words[0]);
    }
  }
  return request;
}

Result<PlacementPlan> MakePlan(const Sections& sections) {
  ASSIGN_OR_RETURN(PlaceAppsRequest request, ReadRequest(sections));
  const SystemClock clock;
  const auto costs =
      [&](const ServerType& type) -> Result<std::shared_ptr<const CostModel>> {
    auto found = sections.find(type.costs);
    if (found == sections.end()) return NotFound("no section " + type.costs);
    ASSIGN_OR_RETURN(CostTable table,
                     ParseCostTable(found->second, type.costs));
    return std::shared_ptr<const CostModel>(
        std::make_shared<TableCosts>(std::move(table), type.costs));
  };
  return PlaceApps(request, {.costs = costs, .clock = clock}, {});
}

// The servers of an application, with their types.
std::map<std::string, std::string> ServersOf(const PlacementPlan& plan,
                                             const std::string& app) {
  std::map<std::string, std::string> servers;
  for (const PlannedServer& server : plan.servers) {
    for (const PlacedInstances& placed : server.apps) {
      if (placed.app == app) servers[server.name] = server.type;
    }
  }
  return servers;
}

bool Share(const PlacementPlan& plan, const std::string& a,
           const std::string& b) {
  const auto others = ServersOf(plan, b);
  for (const auto& [server, type] : ServersOf(plan, a)) {
    if (others.contains(server)) return true;
  }
  return false;
}

bool IsAt(const PlacementPlan& plan, const std::string& app,
          const std::string& name) {
  const auto servers = ServersOf(plan, app);
  for (const auto& [server, type] : servers) {
    if (server != name && type != name) return false;
  }
  return !servers.empty();
}

const Rejection* FindRejection(const PlacementPlan& plan,
                               const std::string& app) {
  for (const Rejection& one : plan.rejected) {
    if (one.app == app) return &one;
  }
  return nullptr;
}

// Whether the plan has the fact of one line.
bool HasFact(const PlacementPlan& plan, const std::vector<std::string>& words) {
  const std::string& fact = words[0];
  if (fact == "placed") return plan.worth.placed == std::stoi(words[1]);
  if (fact == "servers") return plan.worth.servers == std::stoi(words[1]);
  if (fact == "optimal") return plan.worth.optimal;
  if (fact == "at") return IsAt(plan, words[1], words[2]);
  if (fact == "apart") return !Share(plan, words[1], words[2]);
  if (fact == "together") return Share(plan, words[1], words[2]);
  if (fact == "spread") {
    return ServersOf(plan, words[1]).size() == std::stoul(words[2]);
  }
  if (fact == "revenue") {
    return std::abs(plan.worth.revenue - std::stod(words[1])) < 1e-6;
  }
  const Rejection* rejection = FindRejection(plan, words[1]);
  if (fact == "rejected") {
    return rejection != nullptr && rejection->constraint.starts_with(words[2]);
  }
  if (fact == "impossible") {
    return rejection != nullptr && rejection->impossible;
  }
  if (fact == "nearest") {
    return rejection != nullptr && rejection->nearest == words[2];
  }
  if (fact == "remedy") {
    const std::string text =
        fmt::format("{}", fmt::join(words.begin() + 2, words.end(), " "));
    return rejection != nullptr && rejection->remedy == text;
  }
  ADD_FAILURE() << "unknown fact " << fact;
  return false;
}

std::string WhatHappened(const PlacementPlan& plan) {
  std::string text =
      fmt::format("\nplaced {}, revenue {}, {} servers", plan.worth.placed,
                  plan.worth.revenue, plan.worth.servers);
  for (const PlannedServer& server : plan.servers) {
    text += "\n" + server.name + ":";
    for (const PlacedInstances& placed : server.apps) {
      text += fmt::format(" {} x{}", placed.app, placed.instances);
    }
  }
  for (const Rejection& one : plan.rejected) {
    text +=
        fmt::format("\nrejected {} ({}, nearest {}): {}; remedy: {}", one.app,
                    one.constraint, one.nearest, one.reason, one.remedy);
  }
  return text;
}

void Check(const Sections& sections) {
  const auto facts = WordsOfLines(sections.at("expect"));
  ASSERT_FALSE(facts.empty());
  auto plan = MakePlan(sections);
  if (facts[0][0] == "fails") {
    std::string text = sections.at("expect").substr(6);
    text.resize(text.find('\n'));
    ASSERT_FALSE(plan.ok());
    EXPECT_NE(plan.error().message().find(text), std::string::npos)
        << plan.error().message();
    return;
  }
  ASSERT_TRUE(plan.ok()) << plan.error().message();
  for (const std::string& one : plan->verification.violations) {
    ADD_FAILURE() << one;
  }
  for (const auto& words : facts) {
    EXPECT_TRUE(HasFact(*plan, words))
        << "not a fact: " << fmt::format("{}", fmt::join(words, " "))
        << WhatHappened(*plan);
  }
}

TEST(Scenarios, HaveTheFactsTheyState) {
  auto files = FilesIn(METE_SCENARIOS);
  ASSERT_TRUE(files.ok());
  int checked = 0;
  for (const auto& file : *files) {
    const bool scenario =
        file.extension() == ".txt" && file.stem() != "CMakeLists";
    if (!scenario) continue;
    SCOPED_TRACE(file.filename().string());
    Check(SplitSections(ReadFile(file).value()));
    ++checked;
  }
  EXPECT_GE(checked, 10);
}

}  // namespace
}  // namespace mete
