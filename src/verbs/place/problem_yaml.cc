#include "place/problem_yaml.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "ports/service_host.h"
#include "support/file.h"
#include "support/nearest.h"
#include "support/parse_number.h"
#include "support/text.h"
#include "support/yaml.h"

namespace mete {
namespace {

constexpr int kMostInstances = 10'000;
constexpr int kMostServers = 100'000;  // of a type, and of all types
constexpr int64_t kMostInAll = 1'000'000;

// Whole numbers between 1 and `most`.
auto PositiveUpTo(int most) {
  return [most](const std::string& text) -> Result<int> {
    auto number = ParseNumber<int>(text);
    if (number && *number >= 1 && *number <= most) return *number;
    return InvalidInput(
        fmt::format("'{}' is not a whole number from 1 to {}", text, most));
  };
}

Result<int> ParseWhole(const std::string& text) {
  auto number = ParseNumber<int>(text);
  if (number && std::abs(*number) <= 1000) return *number;
  return InvalidInput(
      fmt::format("'{}' is not a whole number up to 1000", text));
}

Result<double> ParseAmount(const std::string& text) {
  auto number = ParseNumber<double>(text);
  if (number && std::isfinite(*number) && *number >= 0 && *number <= 1e12) {
    return *number;
  }
  return InvalidInput(fmt::format("'{}' is not a number of 0 or more", text));
}

// "5", or "5/s" as mete load writes it.
Result<double> ParseRequestRate(const std::string& text) {
  std::string number = text;
  if (number.ends_with("/s")) number.resize(number.size() - 2);
  auto rate = ParseNumber<double>(number);
  if (rate && std::isfinite(*rate) && *rate > 0 && *rate <= 1e9) return *rate;
  return InvalidInput(fmt::format(
      "'{}' is not a positive number of requests per second", text));
}

Result<double> ParseCoreCount(const std::string& text) {
  ASSIGN_OR_RETURN(Millicores cores, ParseMillicores(text));
  if (cores.count <= 0 || cores.count > 100'000'000) {
    return InvalidInput("must be positive and at most 100,000");
  }
  return double(cores.count) / 1000;
}

Result<Watts> ParseWatts(const std::string& text) {
  std::string number = text;
  if (number.ends_with("W")) number.pop_back();
  ASSIGN_OR_RETURN(double watts, ParseAmount(number));
  return Watts{watts};
}

YamlTaker TakeNames(std::vector<std::string>& names) {
  return [&names](const YamlValue& value) -> Status {
    ASSIGN_OR_RETURN(names, YamlTexts(value));
    return {};
  };
}

// Adapts a taker of a plain value to an optional one.
template <typename Target, typename Parser>
YamlTaker TakeOptional(Parser parse, std::optional<Target>& target) {
  return [parse, &target](const YamlValue& value) -> Status {
    Target taken{};
    RETURN_IF_ERROR(TakeText(parse, taken)(value));
    target = std::move(taken);
    return {};
  };
}

Result<std::string> KeepText(const std::string& text) {
  if (text.empty()) return InvalidInput("expected a name");
  return text;
}

Result<AppDemand> ReadApp(const YamlValue& block) {
  AppDemand app;
  RETURN_IF_ERROR(ReadYamlMap(
      block,
      {{"name", TakeText(KeepText, app.name)},
       {"application", TakeText(KeepText, app.application)},
       {"network", TakeText(KeepText, app.network)},
       {"instances", TakeText(PositiveUpTo(kMostInstances), app.instances)},
       {"rate", TakeText(ParseRequestRate, app.rate)},
       {"price", TakeText(ParseAmount, app.price)},
       {"slo", TakeOptional(ParseLatencySlo, app.slo)},
       {"memory", TakeText(ParseBytes, app.memory)},
       {"pin", TakeOptional(KeepText, app.pin)},
       {"apart_from", TakeNames(app.apart)},
       {"most_together",
        TakeOptional(PositiveUpTo(kMostInstances), app.most_together)},
       {"priority", TakeText(ParseWhole, app.priority)}}));
  if (app.name.empty()) app.name = app.application;
  if (app.application.empty()) app.application = app.name;
  if (app.name.empty()) return block.Fail("an app requires a name");
  if (app.rate <= 0) {
    return block.Fail(fmt::format("{} requires a rate", app.name));
  }
  return app;
}

YamlTaker TakePower(std::optional<ServerPower>& power) {
  return [&power](const YamlValue& map) -> Status {
    ServerPower read{};
    RETURN_IF_ERROR(
        ReadYamlMap(map, {{"idle", TakeText(ParseWatts, read.idle)},
                          {"per_core", TakeText(ParseWatts, read.per_core)}}));
    power = read;
    return {};
  };
}

Result<ServerType> ReadServerType(const YamlValue& block) {
  ServerType type;
  std::optional<int> count;
  RETURN_IF_ERROR(ReadYamlMap(
      block, {{"name", TakeText(KeepText, type.name)},
              {"rank", TakeText(ParseWhole, type.rank)},
              {"count", TakeOptional(PositiveUpTo(kMostServers), count)},
              {"memory", TakeText(ParseBytes, type.memory)},
              {"cores", TakeText(ParseCoreCount, type.cores)},
              {"costs", TakeText(KeepText, type.costs)},
              {"predictor", TakeText(KeepText, type.predictor)},
              {"power", TakePower(type.power)},
              {"servers", TakeNames(type.names)}}));
  if (type.name.empty()) return block.Fail("a type of servers requires a name");
  if (type.memory.count == 0) {
    return block.Fail(fmt::format("{} requires memory", type.name));
  }
  if (type.costs.empty() == type.predictor.empty()) {
    return block.Fail(fmt::format(
        "{} requires either costs (a cost table) or predictor", type.name));
  }
  if (!type.names.empty()) {
    if (count && size_t(*count) != type.names.size()) {
      return block.Fail(fmt::format("{} has {} and a count of {}", type.name,
                                    Counted(type.names.size(), "server"),
                                    *count));
    }
    count = static_cast<int>(type.names.size());
  }
  type.count = count.value_or(1);
  return type;
}

// The list below one key of the file.
template <typename Item, typename Reader>
Result<std::vector<Item>> ReadNamedList(const std::string& text,
                                        const std::string& file,
                                        const char* key, Reader read) {
  ASSIGN_OR_RETURN(YamlValue root, ParseYaml(text, file));
  std::vector<Item> items;
  std::set<std::string> names;
  auto take = [&](const YamlValue& list) -> Status {
    if (list.kind != YamlValue::Kind::kList) {
      return InvalidInput("expected a list");
    }
    for (const YamlValue& block : list.items) {
      ASSIGN_OR_RETURN(Item item, read(block));
      if (!names.insert(item.name).second) {
        return block.Fail(fmt::format("'{}' is listed twice", item.name));
      }
      items.push_back(std::move(item));
    }
    return {};
  };
  RETURN_IF_ERROR(ReadYamlMap(root, {{key, take}}));
  if (items.empty()) {
    return InvalidInput(fmt::format("{}: no {}", file, key));
  }
  return items;
}

// Quoted, so that any name is a valid YAML text.
std::string Quoted(const std::string& text) {
  std::string quoted = "\"";
  for (char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20 || code == 0x7F) {
      quoted += fmt::format("\\x{:02x}", code);
      continue;
    }
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

std::string NameList(const std::vector<std::string>& names) {
  std::string text = "[";
  for (size_t i = 0; i < names.size(); ++i) {
    text += (i == 0 ? "" : ", ") + Quoted(names[i]);
  }
  return text + "]";
}

std::string ExactBytes(Bytes bytes) {
  return bytes.count % kMebi == 0 ? fmt::format("{}Mi", bytes.count / kMebi)
                                  : fmt::format("{}", bytes.count);
}

std::string AppYaml(const AppDemand& app) {
  std::string yaml = fmt::format(
      "  - name: {}\n    application: {}\n    instances: {}\n    rate: {}\n"
      "    price: {}\n    memory: {}\n",
      Quoted(app.name), Quoted(app.application), app.instances, app.rate,
      app.price, ExactBytes(app.memory));
  if (!app.network.empty()) {
    yaml += "    network: " + Quoted(app.network) + "\n";
  }
  if (app.slo) yaml += "    slo: " + FormatLatencySlo(*app.slo) + "\n";
  if (app.pin) yaml += "    pin: " + Quoted(*app.pin) + "\n";
  if (!app.apart.empty()) {
    yaml += "    apart_from: " + NameList(app.apart) + "\n";
  }
  if (app.most_together) {
    yaml += fmt::format("    most_together: {}\n", *app.most_together);
  }
  if (app.priority != 0) {
    yaml += fmt::format("    priority: {}\n", app.priority);
  }
  return yaml;
}

std::string ServerYaml(const ServerType& type) {
  std::string yaml = fmt::format(
      "  - name: {}\n    rank: {}\n    count: {}\n    memory: {}\n"
      "    cores: {}\n",
      Quoted(type.name), type.rank, type.count, ExactBytes(type.memory),
      type.cores);
  if (!type.costs.empty()) yaml += "    costs: " + Quoted(type.costs) + "\n";
  if (!type.predictor.empty()) {
    yaml += "    predictor: " + Quoted(type.predictor) + "\n";
  }
  if (type.power) {
    yaml += fmt::format("    power: {{idle: {}W, per_core: {}W}}\n",
                        type.power->idle.count, type.power->per_core.count);
  }
  if (!type.names.empty()) {
    yaml += "    servers: " + NameList(type.names) + "\n";
  }
  return yaml;
}

Status CheckUnique(const std::vector<std::string>& names,
                   std::string_view what) {
  std::set<std::string> seen;
  for (const std::string& name : names) {
    if (seen.insert(name).second) continue;
    return InvalidInput(fmt::format("two {}s are called '{}'", what, name));
  }
  return {};
}

// A plan names servers, so each needs a name of its own; a pin names servers or
// types, so a server must not be called like another type.
Status CheckServerNames(const std::vector<ServerType>& types) {
  std::vector<std::string> type_names;
  std::vector<std::string> servers;
  for (const ServerType& type : types) {
    type_names.push_back(type.name);
    for (int i = 0; i < type.count; ++i) servers.push_back(ServerName(type, i));
  }
  RETURN_IF_ERROR(CheckUnique(type_names, "server type"));
  RETURN_IF_ERROR(CheckUnique(servers, "server"));
  const std::set<std::string> known(type_names.begin(), type_names.end());
  for (const ServerType& type : types) {
    for (int i = 0; i < type.count; ++i) {
      const std::string name = ServerName(type, i);
      if (name == type.name || !known.contains(name)) continue;
      return InvalidInput(fmt::format(
          "'{}' is a server of {} and a type of servers", name, type.name));
    }
  }
  return {};
}

// Before names are made of these numbers: a short file can ask for millions.
Status CheckSizes(const PlacementProblem& problem) {
  int64_t servers = 0;
  for (const ServerType& type : problem.servers) servers += type.count;
  if (servers > kMostServers) {
    return InvalidInput(fmt::format("{} servers are too many; at most {}",
                                    servers, kMostServers));
  }
  int64_t instances = 0;
  for (const AppDemand& app : problem.apps) instances += app.instances;
  if (instances > kMostInAll) {
    return InvalidInput(fmt::format("{} instances are too many; at most {}",
                                    instances, kMostInAll));
  }
  return {};
}

// The network becomes an argument of mete service.
Status CheckNetworkNames(const PlacementProblem& problem) {
  for (const AppDemand& app : problem.apps) {
    for (const std::string& name : {app.network, app.application}) {
      if (!name.starts_with('-')) continue;
      return InvalidInput(
          fmt::format("{}: '{}' is not a network", app.name, Tame(name, 80)));
    }
  }
  return {};
}

}  // namespace

Result<LatencySlo> ParseLatencySlo(const std::string& text) {
  LatencySlo slo;
  std::string rest = text;
  if (size_t blank = rest.find(' '); blank != std::string::npos) {
    ASSIGN_OR_RETURN(slo.time, ParseSloTime(rest.substr(0, blank)));
    rest.erase(0, blank + 1);
  }
  const std::vector<std::string> parts = SplitAt(rest, '=');
  if (parts.size() != 2) {
    return InvalidInput(fmt::format(
        "'{}' is not an SLO; write it like p95=500ms or sojourn mean=1s",
        text));
  }
  ASSIGN_OR_RETURN(slo.statistic, ParseSloStatistic(parts[0]));
  ASSIGN_OR_RETURN(slo.limit, ParseDuration(parts[1]));
  if (slo.limit.count() < 1e-6) {
    return InvalidInput("the limit of an SLO must be at least 1us");
  }
  return slo;
}

std::string FormatLatencySlo(const LatencySlo& slo) {
  // Without an exponent, which durations do not have.
  std::string limit = fmt::format("{:.9f}", slo.limit.count());
  limit.erase(limit.find_last_not_of('0') + 1);
  if (limit.ends_with('.')) limit.pop_back();
  return fmt::format("{}{}={}s",
                     slo.time == SloTime::kSojourn ? "sojourn " : "",
                     ToString(slo.statistic), limit);
}

Result<std::vector<AppDemand>> ParseApps(const std::string& text,
                                         const std::string& file) {
  return ReadNamedList<AppDemand>(text, file, "apps", ReadApp);
}

Result<std::vector<ServerType>> ParseServers(const std::string& text,
                                             const std::string& file) {
  return ReadNamedList<ServerType>(text, file, "servers", ReadServerType);
}

Result<std::vector<AppDemand>> ReadApps(const std::filesystem::path& file) {
  ASSIGN_OR_RETURN(std::string text, ReadFile(file));
  ASSIGN_OR_RETURN(std::vector<AppDemand> apps, ParseApps(text, file.string()));
  for (AppDemand& app : apps) {
    // A name without a slash or .onnx is a network of the zoo, and one that
    // begins with "image:" a file in the image.
    const bool is_file =
        IsLocalFile(app.network) ||
        (app.network.ends_with(".onnx") && !PathInImage(app.network));
    if (is_file) {
      app.network = std::filesystem::absolute(file.parent_path() / app.network);
    }
  }
  return apps;
}

Result<std::vector<ServerType>> ReadServers(const std::filesystem::path& file) {
  ASSIGN_OR_RETURN(std::string text, ReadFile(file));
  ASSIGN_OR_RETURN(std::vector<ServerType> servers,
                   ParseServers(text, file.string()));
  for (ServerType& type : servers) {
    if (!type.costs.empty()) type.costs = file.parent_path() / type.costs;
  }
  return servers;
}

std::string AppsYaml(const std::vector<AppDemand>& apps) {
  std::string yaml = "apps:\n";
  for (const AppDemand& app : apps) yaml += AppYaml(app);
  return yaml;
}

std::string ServersYaml(const std::vector<ServerType>& servers) {
  std::string yaml = "servers:\n";
  for (const ServerType& type : servers) yaml += ServerYaml(type);
  return yaml;
}

Status CheckProblem(const PlacementProblem& problem) {
  RETURN_IF_ERROR(CheckSizes(problem));
  RETURN_IF_ERROR(CheckNetworkNames(problem));
  std::vector<std::string> apps;
  for (const AppDemand& app : problem.apps) apps.push_back(app.name);
  std::vector<std::string> places;
  for (const ServerType& type : problem.servers) {
    places.push_back(type.name);
    for (int i = 0; i < type.count; ++i) places.push_back(ServerName(type, i));
  }
  RETURN_IF_ERROR(CheckUnique(apps, "app"));
  RETURN_IF_ERROR(CheckServerNames(problem.servers));
  const std::set<std::string> known_apps(apps.begin(), apps.end());
  const std::set<std::string> known_places(places.begin(), places.end());
  for (const AppDemand& app : problem.apps) {
    if (app.pin && !known_places.contains(*app.pin)) {
      return InvalidInput(
          fmt::format("{}: pin: no server or type is called "
                      "'{}'{}",
                      app.name, *app.pin, DidYouMean(*app.pin, places)));
    }
    for (const std::string& other : app.apart) {
      if (other == app.name) {
        return InvalidInput(app.name +
                            ": apart_from: names the app itself; for one "
                            "instance per server, write most_together: 1");
      }
      if (known_apps.contains(other)) continue;
      return InvalidInput(fmt::format("{}: apart_from: no app is called '{}'{}",
                                      app.name, other,
                                      DidYouMean(other, apps)));
    }
  }
  return {};
}

}  // namespace mete
