#include "place/plan_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <map>
#include <set>
#include <string_view>

#include "place/problem_yaml.h"
#include "support/clock.h"
#include "support/file.h"
#include "support/json.h"
#include "support/nearest.h"

namespace mete {
namespace {

constexpr std::string_view kPlanKind = "mete.plan";
constexpr Bytes kLargestPlan = Mebibytes(256);

// ---- writing

Json ToJson(const AppDemand& app) {
  Json json{{"name", app.name},           {"application", app.application},
            {"instances", app.instances}, {"rate", app.rate},
            {"price", app.price},         {"memory_bytes", app.memory.count}};
  SetText(json, "network", app.network);
  if (app.slo) {
    json["slo"] = {{"statistic", ToString(app.slo->statistic)},
                   {"time", ToString(app.slo->time)},
                   {"limit_s", app.slo->limit.count()}};
  }
  if (app.pin) json["pin"] = *app.pin;
  if (!app.apart.empty()) json["apart_from"] = app.apart;
  if (app.most_together) json["most_together"] = *app.most_together;
  if (app.priority != 0) json["priority"] = app.priority;
  return json;
}

Json ToJson(const ServerType& type) {
  Json json{{"name", type.name},
            {"rank", type.rank},
            {"count", type.count},
            {"memory_bytes", type.memory.count},
            {"cores", type.cores}};
  SetText(json, "costs", type.costs);
  SetText(json, "predictor", type.predictor);
  if (type.power) {
    json["power"] = {{"idle_w", type.power->idle.count},
                     {"per_core_w", type.power->per_core.count}};
  }
  if (!type.names.empty()) json["servers"] = type.names;
  return json;
}

Json ToJson(const PlannedServer& server) {
  Json json{
      {"name", server.name}, {"type", server.type}, {"apps", Json::array()}};
  for (const PlacedInstances& placed : server.apps) {
    Json one{{"app", placed.app}, {"instances", placed.instances}};
    if (placed.latency) one["latency_s"] = placed.latency->count();
    if (placed.latency_high) {
      one["latency_high_s"] = placed.latency_high->count();
    }
    if (placed.saturated) one["saturated"] = true;
    json["apps"].push_back(std::move(one));
  }
  return json;
}

Json ToJson(const Rejection& one) {
  Json json{{"app", one.app},
            {"impossible", one.impossible},
            {"constraint", one.constraint}};
  SetText(json, "nearest", one.nearest);
  json["reason"] = one.reason;
  SetText(json, "remedy", one.remedy);
  return json;
}

Json ToJson(const PlanWorth& worth) {
  Json json{{"revenue", worth.revenue},
            {"placed", worth.placed},
            {"servers", worth.servers}};
  if (worth.power) json["power_w"] = worth.power->count;
  json["moves"] = worth.moves;
  SetNumber(json, "tightest", worth.tightest);
  json["objective"] = worth.objective;
  json["bound"] = worth.bound;
  json["gap"] = worth.gap;
  json["optimal"] = worth.optimal;
  json["cut_short"] = worth.cut_short;
  return json;
}

template <typename Item>
Json ListJson(const std::vector<Item>& items) {
  Json json = Json::array();
  for (const Item& item : items) json.push_back(ToJson(item));
  return json;
}

// ---- reading

// Reads one object strictly: every key must be known, numbers must be in
// bounds. Complaints are collected, so that reading needs no checks in between.
class PlanObject {
 public:
  PlanObject(const Json& json, std::string where,
             std::initializer_list<const char*> keys,
             std::optional<Error>& error)
      : json_(json), where_(std::move(where)), error_(error) {
    if (!json.is_object()) {
      Complain("is not an object");
      return;
    }
    const std::vector<std::string> known(keys.begin(), keys.end());
    for (const auto& [key, value] : json.items()) {
      if (std::ranges::find(known, key) != known.end()) continue;
      Complain(fmt::format("has an unknown key '{}'{}", key,
                           DidYouMean(key, known)));
    }
  }

  void Complain(const std::string& what) {
    if (!error_) error_ = Corrupt("read plan: " + where_ + " " + what);
  }
  bool Has(const char* key) const {
    return json_.is_object() && json_.contains(key);
  }
  // Absent values of required keys are null, which throws when it is read.
  const Json& At(const char* key) const { return json_.at(key); }
  std::string Text(const char* key) const {
    return json_.at(key).get<std::string>();
  }
  std::string TextOr(const char* key) const {
    return Has(key) ? Text(key) : std::string();
  }
  bool Truth(const char* key) const { return json_.at(key).get<bool>(); }
  double Number(const char* key, double least = 0,
                double most = std::numeric_limits<double>::max()) {
    const double number = json_.at(key).get<double>();
    // NaN is not in any bounds.
    if (!(number >= least && number <= most)) {
      Complain(fmt::format("has an impossible {}", key));
    }
    return number;
  }
  int Whole(const char* key, int least, int most) {
    const double number = Number(key, least);
    if (number != std::floor(number) || number > most) {
      Complain(fmt::format("has an impossible {}", key));
      return least;
    }
    return static_cast<int>(number);
  }
  uint64_t Count(const char* key) {
    const Json& value = json_.at(key);
    if (!value.is_number_unsigned()) {
      Complain(fmt::format("has an impossible {}", key));
      return 0;
    }
    return value.get<uint64_t>();
  }
  // The value of a parser that returns a Result.
  template <typename T>
  T Take(Result<T> parsed, T otherwise) {
    if (parsed.ok()) return *std::move(parsed);
    Complain(": " + parsed.error().message());
    return otherwise;
  }

 private:
  const Json& json_;
  std::string where_;
  std::optional<Error>& error_;
};

constexpr int kMostWhole = 1'000'000;
// As in the files that a problem comes from.
constexpr int kMostInstancesOfApp = 10'000;
constexpr double kMostCores = 100'000;
constexpr double kMostRate = 1e9;
constexpr double kMostPrice = 1e12;

AppDemand AppFromPlan(const Json& json, std::optional<Error>& error) {
  PlanObject object(
      json, "an app",
      {"name", "application", "network", "instances", "rate", "price",
       "memory_bytes", "slo", "pin", "apart_from", "most_together", "priority"},
      error);
  AppDemand app{.name = object.Text("name"),
                .application = object.Text("application"),
                .network = object.TextOr("network"),
                .instances = object.Whole("instances", 1, kMostInstancesOfApp),
                .rate = object.Number("rate", 0, kMostRate),
                .price = object.Number("price", 0, kMostPrice),
                .memory = Bytes{object.Count("memory_bytes")}};
  if (object.Has("slo")) {
    PlanObject slo(object.At("slo"), "an slo", {"statistic", "time", "limit_s"},
                   error);
    app.slo = LatencySlo{
        .statistic = slo.Take(ParseSloStatistic(slo.Text("statistic")),
                              SloStatistic::kP95),
        .time = slo.Take(ParseSloTime(slo.Text("time")), SloTime::kService),
        .limit = Seconds(slo.Number("limit_s"))};
  }
  if (object.Has("pin")) app.pin = object.Text("pin");
  if (object.Has("apart_from")) {
    app.apart = object.At("apart_from").get<std::vector<std::string>>();
  }
  if (object.Has("most_together")) {
    app.most_together = object.Whole("most_together", 1, kMostWhole);
  }
  if (object.Has("priority")) {
    app.priority = object.Whole("priority", -1000, 1000);
  }
  return app;
}

ServerType ReadType(const Json& json, std::optional<Error>& error) {
  PlanObject object(json, "a server type",
                    {"name", "rank", "count", "memory_bytes", "cores", "costs",
                     "predictor", "power", "servers"},
                    error);
  ServerType type{.name = object.Text("name"),
                  .rank = object.Whole("rank", -1000, 1000),
                  .count = object.Whole("count", 1, kMostWhole),
                  .memory = Bytes{object.Count("memory_bytes")},
                  .cores = object.Number("cores", 0, kMostCores),
                  .costs = object.TextOr("costs"),
                  .predictor = object.TextOr("predictor")};
  if (object.Has("power")) {
    PlanObject power(object.At("power"), "a power", {"idle_w", "per_core_w"},
                     error);
    type.power = ServerPower{Watts{power.Number("idle_w")},
                             Watts{power.Number("per_core_w")}};
  }
  if (object.Has("servers")) {
    type.names = object.At("servers").get<std::vector<std::string>>();
    if (type.names.size() != static_cast<size_t>(type.count)) {
      object.Complain("has another number of servers than its count");
    }
  }
  return type;
}

PlannedServer ReadServer(const Json& json, std::optional<Error>& error) {
  PlanObject object(json, "a server", {"name", "type", "apps"}, error);
  PlannedServer server{
      .name = object.Text("name"), .type = object.Text("type"), .apps = {}};
  for (const Json& one : object.At("apps")) {
    PlanObject placed(
        one, "a placed app",
        {"app", "instances", "latency_s", "latency_high_s", "saturated"},
        error);
    PlacedInstances read{.app = placed.Text("app"),
                         .instances = placed.Whole("instances", 1, kMostWhole)};
    if (placed.Has("latency_s")) {
      read.latency = Seconds(placed.Number("latency_s"));
    }
    if (placed.Has("latency_high_s")) {
      read.latency_high = Seconds(placed.Number("latency_high_s"));
    }
    if (placed.Has("saturated")) read.saturated = placed.Truth("saturated");
    server.apps.push_back(std::move(read));
  }
  return server;
}

Rejection ReadRejection(const Json& json, std::optional<Error>& error) {
  PlanObject object(
      json, "a rejection",
      {"app", "impossible", "constraint", "nearest", "reason", "remedy"},
      error);
  return {.app = object.Text("app"),
          .impossible = object.Truth("impossible"),
          .constraint = object.Text("constraint"),
          .nearest = object.TextOr("nearest"),
          .reason = object.Text("reason"),
          .remedy = object.TextOr("remedy")};
}

PlanWorth ReadWorth(const Json& json, std::optional<Error>& error) {
  PlanObject object(
      json, "the worth",
      {"revenue", "placed", "servers", "power_w", "moves", "tightest",
       "objective", "bound", "gap", "optimal", "cut_short"},
      error);
  PlanWorth worth{.revenue = object.Number("revenue"),
                  .placed = object.Whole("placed", 0, kMostWhole),
                  .servers = object.Whole("servers", 0, kMostWhole),
                  .moves = object.Whole("moves", 0, kMostWhole),
                  .objective = object.Number("objective", -1e300),
                  .bound = object.Number("bound", -1e300),
                  .gap = object.Number("gap"),
                  .optimal = object.Truth("optimal"),
                  .cut_short = object.Truth("cut_short")};
  if (object.Has("power_w")) worth.power = Watts{object.Number("power_w")};
  if (object.Has("tightest")) worth.tightest = object.Number("tightest");
  return worth;
}

PlanVerification ReadVerification(const Json& json,
                                  std::optional<Error>& error) {
  PlanObject object(json, "the verification", {"checks", "violations"}, error);
  return {
      .checks = object.Whole("checks", 0, 1'000'000'000),
      .violations = object.At("violations").get<std::vector<std::string>>()};
}

// Every placed instance is started, so a plan may place only apps of its own
// problem, and no more instances of them. Verification checks constraints.
Status CheckPlacement(const PlacementPlan& plan) {
  std::map<std::string, int64_t> left;  // instances that may still be placed
  for (const AppDemand& app : plan.problem.apps) left[app.name] = app.instances;
  std::map<std::string, std::string> types;
  for (const ServerType& type : plan.problem.servers) {
    for (int i = 0; i < type.count; ++i) {
      types[ServerName(type, i)] = type.name;
    }
  }
  std::set<std::string> seen;
  for (const PlannedServer& server : plan.servers) {
    if (!seen.insert(server.name).second) {
      return Corrupt("it lists " + server.name + " twice");
    }
    auto type = types.find(server.name);
    if (type == types.end() || type->second != server.type) {
      return Corrupt(
          fmt::format("it uses {} of type {}, which its problem "
                      "does not have",
                      server.name, server.type));
    }
    for (const PlacedInstances& placed : server.apps) {
      const auto app = left.find(placed.app);
      if (app == left.end()) {
        return Corrupt(
            fmt::format("it places {} on {}, but its problem has no "
                        "such app",
                        placed.app, server.name));
      }
      app->second -= placed.instances;
      if (app->second >= 0) continue;
      return Corrupt(fmt::format(
          "it places more instances of {} than its problem has", placed.app));
    }
  }
  return {};
}

template <typename Item, typename Reader>
std::vector<Item> ReadList(const Json& list, Reader read,
                           std::optional<Error>& error) {
  std::vector<Item> items;
  for (const Json& one : list) items.push_back(read(one, error));
  return items;
}

}  // namespace

Json PlanToJson(const PlacementPlan& plan) {
  return {{"kind", kPlanKind},
          {"version", kPlanVersion},
          {"mete", plan.mete_version},
          {"made_at", FormatUtc(plan.made_at)},
          {"objective", ToString(plan.objective)},
          {"asked_method", ToString(plan.asked)},
          {"method", ToString(plan.method)},
          {"seed", plan.seed},
          {"time_limit_s", plan.time_limit.count()},
          {"elapsed_s", plan.elapsed.count()},
          {"worth", ToJson(plan.worth)},
          {"verification",
           {{"checks", plan.verification.checks},
            {"violations", plan.verification.violations}}},
          {"servers", ListJson(plan.servers)},
          {"rejected", ListJson(plan.rejected)},
          {"costs", plan.costs},
          {"problem",
           {{"apps", ListJson(plan.problem.apps)},
            {"servers", ListJson(plan.problem.servers)}}}};
}

Result<PlacementPlan> PlanFromJson(const Json& json) {
  return ReadJson("plan", [&]() -> Result<PlacementPlan> {
    std::optional<Error> error;
    PlanObject object(
        json, "the file",
        {"kind", "version", "mete", "made_at", "objective", "asked_method",
         "method", "seed", "time_limit_s", "elapsed_s", "worth", "verification",
         "servers", "rejected", "costs", "problem"},
        error);
    if (!object.Has("kind") || json.at("kind") != kPlanKind) {
      return Corrupt("it is not a plan of mete place");
    }
    if (json.at("version") != kPlanVersion) {
      return Corrupt(fmt::format("version {} is unknown, this mete reads {}",
                                 json.at("version").dump(), kPlanVersion));
    }
    const PlanObject problem(object.At("problem"), "the problem",
                             {"apps", "servers"}, error);
    PlacementPlan plan{
        .problem = {.apps = ReadList<AppDemand>(problem.At("apps"), AppFromPlan,
                                                error),
                    .servers = ReadList<ServerType>(problem.At("servers"),
                                                    ReadType, error)},
        .objective =
            object.Take(ParsePlacementObjective(object.Text("objective")),
                        PlacementObjective::kRevenue),
        .asked = object.Take(ParsePlacementMethod(object.Text("asked_method")),
                             PlacementMethod::kAuto),
        .method = object.Take(ParsePlacementMethod(object.Text("method")),
                              PlacementMethod::kAuto),
        .seed = object.Count("seed"),
        .time_limit = Seconds(object.Number("time_limit_s")),
        .elapsed = Seconds(object.Number("elapsed_s")),
        .made_at = object.Take(ParseUtc(object.Text("made_at")), {}),
        .mete_version = object.Text("mete"),
        .costs = object.At("costs").get<std::vector<std::string>>(),
        .servers =
            ReadList<PlannedServer>(object.At("servers"), ReadServer, error),
        .rejected =
            ReadList<Rejection>(object.At("rejected"), ReadRejection, error),
        .worth = ReadWorth(object.At("worth"), error),
        .verification = ReadVerification(object.At("verification"), error)};
    if (error) return *error;
    RETURN_IF_ERROR(CheckProblem(plan.problem));
    RETURN_IF_ERROR(CheckPlacement(plan));
    return plan;
  });
}

Result<PlacementPlan> ReadPlan(const std::filesystem::path& file) {
  ASSIGN_OR_RETURN(std::string text, ReadRegularFile(file, kLargestPlan));
  auto json = ParseJson(text);
  if (!json.ok()) return json.error().While(file.string());
  return PlanFromJson(*json).While(file.string());
}

}  // namespace mete
