// Cost tables as YAML files.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "place/cost_table.h"
#include "support/file.h"
#include "support/parse_number.h"
#include "support/yaml.h"

namespace mete {
namespace {

Result<double> ParseAnyNumber(const std::string& text) {
  auto number = ParseNumber<double>(text);
  if (!number || !std::isfinite(*number)) {
    return InvalidInput(fmt::format("'{}' is not a number", text));
  }
  return *number;
}

Result<double> ParseNotNegative(const std::string& text) {
  ASSIGN_OR_RETURN(double number, ParseAnyNumber(text));
  if (number < 0) {
    return InvalidInput(fmt::format("'{}' must not be negative", text));
  }
  return number;
}

Result<Seconds> ParsePositiveTime(const std::string& text) {
  ASSIGN_OR_RETURN(Seconds time, ParseDuration(text));
  if (time.count() <= 0) return InvalidInput("must be positive");
  return time;
}

// One number for each pressure.
YamlTaker TakeVector(size_t length, std::vector<double>& target) {
  return [length, &target](const YamlValue& value) -> Status {
    ASSIGN_OR_RETURN(std::vector<std::string> texts, YamlTexts(value));
    if (texts.size() != length) {
      return InvalidInput(
          fmt::format("expected {} numbers, one per pressure", length));
    }
    target.clear();
    for (const std::string& text : texts) {
      ASSIGN_OR_RETURN(double number, ParseNotNegative(text));
      target.push_back(number);
    }
    return {};
  };
}

YamlTaker TakePieces(size_t length, std::vector<SlowdownPiece>& pieces) {
  return [length, &pieces](const YamlValue& list) -> Status {
    if (list.kind != YamlValue::Kind::kList) {
      return InvalidInput("expected a list of {constant, slope}");
    }
    for (const YamlValue& item : list.items) {
      SlowdownPiece piece{.constant = 0,
                          .slope = std::vector<double>(length, 0)};
      RETURN_IF_ERROR(ReadYamlMap(
          item, {{"constant", TakeText(ParseAnyNumber, piece.constant)},
                 {"slope", TakeVector(length, piece.slope)}}));
      pieces.push_back(std::move(piece));
    }
    return {};
  };
}

YamlTaker TakeService(size_t length,
                      std::map<SloStatistic, ServiceCost>& service) {
  return [length, &service](const YamlValue& map) -> Status {
    if (map.kind != YamlValue::Kind::kMap) {
      return InvalidInput("expected statistics: mean, p75, p95 or p99");
    }
    for (const YamlEntry& entry : map.entries) {
      auto statistic = ParseSloStatistic(entry.key);
      if (!statistic.ok()) return entry.value.Fail(statistic.error().message());
      ServiceCost cost;
      RETURN_IF_ERROR(ReadYamlMap(
          entry.value, {{"alone", TakeText(ParsePositiveTime, cost.alone)},
                        {"slowdown", TakePieces(length, cost.pieces)}}));
      if (cost.alone.count() <= 0) {
        return entry.value.Fail(entry.key + " requires alone");
      }
      service[*statistic] = std::move(cost);
    }
    return {};
  };
}

YamlTaker TakeApplications(CostTable& table) {
  return [&table](const YamlValue& map) -> Status {
    if (map.kind != YamlValue::Kind::kMap) {
      return InvalidInput("expected applications by name");
    }
    const size_t length = table.pressures.size();
    for (const YamlEntry& entry : map.entries) {
      ApplicationCost cost{.constant = std::vector<double>(length, 0),
                           .per_rate = std::vector<double>(length, 0),
                           .service = {}};
      Seconds cpu_time{0};
      RETURN_IF_ERROR(
          ReadYamlMap(entry.value,
                      {{"cpu_time", TakeText(ParsePositiveTime, cpu_time)},
                       {"pressure", TakeVector(length, cost.constant)},
                       {"pressure_per_rate", TakeVector(length, cost.per_rate)},
                       {"service", TakeService(length, cost.service)}}));
      if (cpu_time.count() > 0) cost.cpu_time = cpu_time;
      table.applications[entry.key] = std::move(cost);
    }
    return {};
  };
}

// The length of vectors is known before the applications are read, whatever the
// order of the keys.
Status ReadPressureNames(const YamlValue& root, CostTable& table) {
  for (const YamlEntry& entry : root.entries) {
    if (entry.key != "pressures") continue;
    ASSIGN_OR_RETURN(table.pressures, YamlTexts(entry.value));
  }
  if (!table.pressures.empty()) return {};
  return root.Fail("a cost table requires pressures: [cpu, ...]");
}

std::string VectorText(const std::vector<double>& numbers) {
  return fmt::format("[{}]", fmt::join(numbers, ", "));
}

std::string ServiceText(const ServiceCost& cost) {
  std::string text =
      fmt::format("{{alone: {}s, slowdown: [", cost.alone.count());
  for (size_t i = 0; i < cost.pieces.size(); ++i) {
    text +=
        fmt::format("{}{{constant: {}, slope: {}}}", i == 0 ? "" : ", ",
                    cost.pieces[i].constant, VectorText(cost.pieces[i].slope));
  }
  return text + "]}";
}

}  // namespace

Result<CostTable> ParseCostTable(const std::string& text,
                                 const std::string& file) {
  ASSIGN_OR_RETURN(YamlValue root, ParseYaml(text, file));
  CostTable table;
  RETURN_IF_ERROR(ReadPressureNames(root, table));
  RETURN_IF_ERROR(ReadYamlMap(
      root, {{"note", TakeText(table.note)},
             {"pressures", [](const YamlValue&) -> Status { return {}; }},
             {"applications", TakeApplications(table)}}));
  if (table.applications.empty()) {
    return root.Fail("a cost table requires applications");
  }
  return table;
}

Result<CostTable> ReadCostTable(const std::filesystem::path& file) {
  ASSIGN_OR_RETURN(std::string text, ReadFile(file));
  return ParseCostTable(text, file.string());
}

std::string CostTableYaml(const CostTable& table) {
  std::string yaml =
      "# What services on one server cost each other. A service "
      "time is alone * (1 + z),\n# where z is the largest of 0 "
      "and constant + slope . p over the pieces of its\n# "
      "slowdown, and p is the sum of the pressures of all "
      "instances on the server.\n";
  if (!table.note.empty()) yaml += fmt::format("note: \"{}\"\n", table.note);
  yaml += fmt::format("pressures: [{}]\napplications:\n",
                      fmt::join(table.pressures, ", "));
  for (const auto& [name, cost] : table.applications) {
    yaml += fmt::format("  {}:\n", name);
    if (cost.cpu_time) {
      yaml += fmt::format("    cpu_time: {}s\n", cost.cpu_time->count());
    }
    yaml += fmt::format("    pressure: {}\n    pressure_per_rate: {}\n",
                        VectorText(cost.constant), VectorText(cost.per_rate));
    yaml += "    service:\n";
    for (const auto& [statistic, service] : cost.service) {
      yaml += fmt::format("      {}: {}\n", ToString(statistic),
                          ServiceText(service));
    }
  }
  return yaml;
}

}  // namespace mete
