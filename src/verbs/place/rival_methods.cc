#include "place/rival_methods.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "optimize/integer_program.h"
#include "place/rival_curves.h"
#include "place/verify_placement.h"

namespace mete {
namespace {

// The share of an SLO that the app-agnostic method uses.
constexpr double kAgnosticShare = 0.6;
// One server never has more instances than this in the curves.
constexpr double kMostOnServer = 1000;

// One server of the problem.
struct RivalServer {
  size_t type = 0;
  int place = 0;
};

// Curves of one type of servers, by application and statistic.
using CurveKey = std::pair<std::string, SloStatistic>;

// What every rival profiles on a type of servers.
struct RivalProfile {
  std::map<CurveKey, double> alone;
  std::map<CurveKey, TwoPieceCurve> own;  // t_aa
  // t_ab, by a and then b.
  std::map<CurveKey, std::map<std::string, TwoPieceCurve>> beside;
};

Status CheckRivalRequest(const PlaceAppsRequest& request) {
  if (request.objective != PlacementObjective::kRevenue) {
    return Unsupported("rivals maximize revenue only");
  }
  for (const AppDemand& app : request.problem.apps) {
    if (app.pin || !app.apart.empty() || app.most_together ||
        app.priority != 0) {
      return Unsupported(
          "rivals know no pins, apart_from, most_together or priorities");
    }
    if (app.slo && app.slo->time != SloTime::kService) {
      return Unsupported("rivals know service times only");
    }
  }
  return {};
}

std::map<std::string, double> MeanRates(const PlacementProblem& problem) {
  std::map<std::string, std::pair<double, int>> sums;
  for (const AppDemand& app : problem.apps) {
    auto& [sum, count] = sums[app.application];
    sum += app.rate;
    ++count;
  }
  std::map<std::string, double> rates;
  for (const auto& [name, sum] : sums) rates[name] = sum.first / sum.second;
  return rates;
}

std::set<SloStatistic> Statistics(const PlacementProblem& problem) {
  std::set<SloStatistic> statistics;
  for (const AppDemand& app : problem.apps) {
    if (app.slo) statistics.insert(app.slo->statistic);
  }
  return statistics;
}

// Asks a cost model what a rival would measure.
class Profiler {
 public:
  Profiler(const CostModel& costs, const std::map<std::string, double>& rates)
      : costs_(costs), rates_(rates) {}

  // One instance of `app` beside `count` of `other`; or `count` of the same.
  Result<double> Latency(const CurveKey& app, const std::string& other,
                         int count) const {
    ASSIGN_OR_RETURN(std::vector<double> sum, PressureOf(app.first));
    ASSIGN_OR_RETURN(const std::vector<double> more, PressureOf(other));
    const int added = app.first == other ? count - 1 : count;
    for (size_t i = 0; i < sum.size(); ++i) sum[i] += added * more[i];
    ASSIGN_OR_RETURN(const LatencyAnswer answer,
                     costs_.LatencyUnder({.application = app.first,
                                          .rate = rates_.at(app.first),
                                          .statistic = app.second,
                                          .time = SloTime::kService},
                                         sum));
    return answer.high.value_or(answer.time).count();
  }

  Result<RivalProfile> Profile(const std::set<SloStatistic>& statistics,
                               RivalMethod method) const {
    RivalProfile profile;
    for (const auto& [name, rate] : rates_) {
      for (const SloStatistic statistic : statistics) {
        const CurveKey key{name, statistic};
        ASSIGN_OR_RETURN(profile.alone[key], Latency(key, name, 1));
        ASSIGN_OR_RETURN(profile.own[key], Curve(key, name));
        if (method != RivalMethod::kPerx) continue;
        for (const auto& [other, other_rate] : rates_) {
          ASSIGN_OR_RETURN(profile.beside[key][other], Curve(key, other));
        }
      }
    }
    return profile;
  }

 private:
  Result<std::vector<double>> PressureOf(const std::string& app) const {
    return costs_.PressureOf(app, rates_.at(app));
  }

  Result<TwoPieceCurve> Curve(const CurveKey& app,
                              const std::string& other) const {
    return FitTwoPieces([&](int n) { return Latency(app, other, n); });
  }

  const CostModel& costs_;
  const std::map<std::string, double>& rates_;
};

// Writes the program. For every application and server: x, the instances there,
// and w, whether there are any; for every application: z, whether it is placed.
class RivalProgram {
 public:
  RivalProgram(RivalMethod method, const PlacementProblem& problem,
               const std::vector<RivalServer>& servers,
               const std::vector<RivalProfile>& profiles)
      : method_(method),
        problem_(problem),
        servers_(servers),
        profiles_(profiles) {}

  IntegerProgram Write() {
    AddColumnsOfApps();
    AddWholeApps();
    for (size_t s = 0; s < servers_.size(); ++s) {
      AddMemory(s);
      AddLatencies(s);
    }
    for (const auto& [row, column, value] : coefficients_) {
      program_.columns[column].rows.push_back({.index = row, .value = value});
    }
    return std::move(program_);
  }

  size_t Instances(size_t app, size_t server) const {
    return x_ + app * servers_.size() + server;
  }

 private:
  struct Entry {
    size_t row;
    size_t column;
    double value;
  };

  size_t AddColumn(double objective, double upper, bool integer) {
    program_.columns.push_back(
        {.objective = objective, .lower = 0, .upper = upper, .rows = {}});
    program_.integer.push_back(integer);
    return program_.columns.size() - 1;
  }
  size_t AddRow(double lower, double upper) {
    program_.rows.push_back({.lower = lower, .upper = upper, .columns = {}});
    return program_.rows.size() - 1;
  }
  void Set(size_t row, size_t column, double value) {
    coefficients_.push_back({.row = row, .column = column, .value = value});
  }
  size_t Present(size_t app, size_t server) const {
    return w_ + app * servers_.size() + server;
  }

  void AddColumnsOfApps() {
    const auto& apps = problem_.apps;
    for (const AppDemand& app : apps) AddColumn(app.price, 1, true);
    x_ = program_.columns.size();
    for (const AppDemand& app : apps) {
      for (size_t s = 0; s < servers_.size(); ++s) {
        AddColumn(0, app.instances, true);
      }
    }
    w_ = program_.columns.size();
    for (size_t i = 0; i < apps.size() * servers_.size(); ++i) {
      AddColumn(0, 1, true);
    }
  }

  // All instances or none; x <= instances * w.
  void AddWholeApps() {
    for (size_t a = 0; a < problem_.apps.size(); ++a) {
      const double instances = problem_.apps[a].instances;
      const size_t whole = AddRow(0, 0);
      Set(whole, a, -instances);
      for (size_t s = 0; s < servers_.size(); ++s) {
        Set(whole, Instances(a, s), 1);
        const size_t link = AddRow(-kInfiniteBound, 0);
        Set(link, Instances(a, s), 1);
        Set(link, Present(a, s), -instances);
      }
    }
  }

  void AddMemory(size_t s) {
    const ServerType& type = problem_.servers[servers_[s].type];
    const auto capacity = static_cast<double>(type.memory.count);
    const size_t row = AddRow(-kInfiniteBound, 1);
    for (size_t a = 0; a < problem_.apps.size(); ++a) {
      const auto use = static_cast<double>(problem_.apps[a].memory.count);
      Set(row, Instances(a, s), use / capacity);
    }
  }

  void AddLatencies(size_t s) {
    switch (method_) {
      case RivalMethod::kAppAgnostic:
        return AddAgnostic(s);
      case RivalMethod::kPerx:
        return AddPerx(s);
      case RivalMethod::kScalOranSum:
      case RivalMethod::kScalOranMean:
        return AddScalOran(s);
    }
  }

  const RivalProfile& ProfileOf(size_t s) const {
    return profiles_[servers_[s].type];
  }
  static CurveKey KeyOf(const AppDemand& app) {
    return {app.application, app.slo->statistic};
  }

  // Of an application's instances on a server; of all without a name.
  void SetInstances(size_t row, size_t s, double value,
                    const std::string& application) {
    for (size_t a = 0; a < problem_.apps.size(); ++a) {
      if (application.empty() || problem_.apps[a].application == application) {
        Set(row, Instances(a, s), value);
      }
    }
  }

  // A curve grows with N, so a limit of the latency is one of N.
  void AddAgnostic(size_t s) {
    for (size_t a = 0; a < problem_.apps.size(); ++a) {
      const AppDemand& app = problem_.apps[a];
      if (!app.slo) continue;
      const TwoPieceCurve& curve = ProfileOf(s).own.at(KeyOf(app));
      const double limit = kAgnosticShare * app.slo->limit.count();
      double most = kMostOnServer;
      for (const auto& piece : {curve.low, curve.high}) {
        if (piece.slope <= 0) {
          if (piece.constant > limit) most = 0;
          continue;
        }
        most = std::min(most, (limit - piece.constant) / piece.slope);
      }
      most = std::max(0.0, std::floor(most + 1e-9));
      if (most >= kMostOnServer) continue;
      const size_t row = AddRow(-kInfiniteBound, kMostOnServer);
      SetInstances(row, s, 1, "");
      Set(row, Present(a, s), kMostOnServer - most);
    }
  }

  // A term that is at least the curve of an application's instances, less
  // `base`, and not negative.
  size_t AddTerm(size_t s, const TwoPieceCurve& curve, double base,
                 const std::string& application) {
    const size_t term = AddColumn(0, kInfiniteBound, false);
    for (const auto& piece : {curve.low, curve.high}) {
      const size_t row = AddRow(piece.constant - base, kInfiniteBound);
      Set(row, term, 1);
      SetInstances(row, s, -piece.slope, application);
    }
    return term;
  }

  // Large enough to switch a row off.
  double Slack(const TwoPieceCurve& curve, size_t s) const {
    return std::max(0.0, curve.At(MostInstances(s)));
  }
  double MostInstances(size_t s) const {
    const auto memory =
        static_cast<double>(problem_.servers[servers_[s].type].memory.count);
    double all = 0;
    double smallest = memory;
    for (const AppDemand& app : problem_.apps) {
      all += app.instances;
      smallest = std::min(smallest, static_cast<double>(app.memory.count));
    }
    return smallest > 0 ? std::min(all, memory / smallest) : all;
  }

  // The terms t_ab are shared by all requests of an application.
  void AddPerx(size_t s) {
    const RivalProfile& profile = ProfileOf(s);
    std::map<CurveKey, std::vector<std::pair<size_t, double>>> shared;
    for (size_t a = 0; a < problem_.apps.size(); ++a) {
      const AppDemand& app = problem_.apps[a];
      if (!app.slo) continue;
      const CurveKey key = KeyOf(app);
      const double base = profile.alone.at(key);
      auto& terms = shared[key];
      if (terms.empty()) {
        for (const auto& [other, curve] : profile.beside.at(key)) {
          terms.emplace_back(AddTerm(s, curve, base, other), Slack(curve, s));
        }
      }
      AddSum(a, s, app.slo->limit.count() - base, terms);
    }
  }

  // The sum of the terms is at most `limit`, if the application is there.
  void AddSum(size_t a, size_t s, double limit,
              const std::vector<std::pair<size_t, double>>& terms) {
    double slack = 0;
    for (const auto& [term, most] : terms) slack += most;
    slack += std::max(0.0, -limit);
    const size_t row = AddRow(-kInfiniteBound, limit + slack);
    for (const auto& [term, most] : terms) Set(row, term, 1);
    Set(row, Present(a, s), slack);
  }

  // A term for each application: t_bb(N) if it is there, else at least 0.
  void AddScalOran(size_t s) {
    std::map<std::string, size_t> present;
    std::map<CurveKey, size_t> terms;
    double slack = 0;
    for (const auto& [key, curve] : ProfileOf(s).own) {
      const auto [at, added] = present.try_emplace(key.first, 0);
      if (added) at->second = AddPresence(s, key.first);
      terms[key] = AddSwitchedTerm(s, curve, at->second);
      slack = std::max(slack, Slack(curve, s));
    }
    for (size_t a = 0; a < problem_.apps.size(); ++a) {
      const AppDemand& app = problem_.apps[a];
      if (!app.slo) continue;
      AddScalOranRow(a, s, present, terms, slack);
    }
  }

  // Whether any request of an application is there.
  size_t AddPresence(size_t s, const std::string& application) {
    const size_t presence = AddColumn(0, 1, true);
    const size_t any = AddRow(0, kInfiniteBound);  // sum of w >= presence
    Set(any, presence, -1);
    for (size_t a = 0; a < problem_.apps.size(); ++a) {
      if (problem_.apps[a].application != application) continue;
      Set(any, Present(a, s), 1);
      const size_t row = AddRow(-kInfiniteBound, 0);  // w <= presence
      Set(row, Present(a, s), 1);
      Set(row, presence, -1);
    }
    return presence;
  }

  size_t AddSwitchedTerm(size_t s, const TwoPieceCurve& curve,
                         size_t presence) {
    const size_t term = AddColumn(0, kInfiniteBound, false);
    const double slack = Slack(curve, s);
    for (const auto& piece : {curve.low, curve.high}) {
      const size_t row = AddRow(piece.constant - slack, kInfiniteBound);
      Set(row, term, 1);
      SetInstances(row, s, -piece.slope, "");
      Set(row, presence, -slack);
    }
    return term;
  }

  void AddScalOranRow(size_t a, size_t s,
                      const std::map<std::string, size_t>& present,
                      const std::map<CurveKey, size_t>& terms, double slack) {
    const AppDemand& app = problem_.apps[a];
    const double limit = app.slo->limit.count();
    const double off = slack * static_cast<double>(present.size());
    const bool mean = method_ == RivalMethod::kScalOranMean;
    // sum of terms <= limit (times the applications there) + off (1 - w)
    const size_t row = AddRow(-kInfiniteBound, (mean ? 0 : limit) + off);
    for (const auto& [name, presence] : present) {
      Set(row, terms.at({name, app.slo->statistic}), 1);
      if (mean) Set(row, presence, -limit);
    }
    Set(row, Present(a, s), off);
  }

  RivalMethod method_;
  const PlacementProblem& problem_;
  const std::vector<RivalServer>& servers_;
  const std::vector<RivalProfile>& profiles_;
  IntegerProgram program_;
  std::vector<Entry> coefficients_;
  size_t x_ = 0;
  size_t w_ = 0;
};

std::vector<RivalServer> AllServers(const PlacementProblem& problem) {
  std::vector<RivalServer> servers;
  for (size_t type = 0; type < problem.servers.size(); ++type) {
    for (int place = 0; place < problem.servers[type].count; ++place) {
      servers.push_back({.type = type, .place = place});
    }
  }
  return servers;
}

void TakeValues(const RivalProgram& program, const std::vector<double>& values,
                const std::vector<RivalServer>& servers, PlacementPlan& plan) {
  for (size_t s = 0; s < servers.size(); ++s) {
    const ServerType& type = plan.problem.servers[servers[s].type];
    PlannedServer planned{.name = ServerName(type, servers[s].place),
                          .type = type.name,
                          .apps = {}};
    for (size_t a = 0; a < plan.problem.apps.size(); ++a) {
      const auto count =
          static_cast<int>(std::lround(values[program.Instances(a, s)]));
      if (count == 0) continue;
      planned.apps.push_back(
          {.app = plan.problem.apps[a].name, .instances = count});
    }
    if (!planned.apps.empty()) plan.servers.push_back(std::move(planned));
  }
  const std::vector<std::string> placed = PlacedApps(plan);
  const std::set<std::string> names(placed.begin(), placed.end());
  for (const AppDemand& app : plan.problem.apps) {
    plan.worth.bound += app.price;
    if (names.contains(app.name)) {
      plan.worth.revenue += app.price;
    } else {
      plan.rejected.push_back(
          {.app = app.name, .reason = "the method does not place it"});
    }
  }
  plan.worth.objective = plan.worth.revenue;
  plan.worth.placed = static_cast<int>(placed.size());
  plan.worth.servers = static_cast<int>(plan.servers.size());
}

}  // namespace

std::string_view ToString(RivalMethod method) {
  switch (method) {
    case RivalMethod::kScalOranSum:
      return "scaloran (sum)";
    case RivalMethod::kScalOranMean:
      return "scaloran (mean)";
    case RivalMethod::kAppAgnostic:
      return "agnostic";
    case RivalMethod::kPerx:
      return "perx";
  }
  return "";
}

Result<PlacementPlan> PlaceWithRival(RivalMethod method,
                                     const PlaceAppsRequest& request,
                                     const PlaceAppsDependencies& needs,
                                     const std::stop_token& stop) {
  RETURN_IF_ERROR(CheckRivalRequest(request));
  if (stop.stop_requested()) {
    return Error(ErrorCode::kInterrupted, "interrupted");
  }
  const auto start = needs.clock.Now();
  PlacementPlan plan{.problem = request.problem,
                     .objective = request.objective,
                     .seed = request.seed,
                     .time_limit = request.time_limit,
                     .made_at = needs.clock.Wall(),
                     .mete_version = request.mete_version};
  PlacementCosts costs;
  std::vector<RivalProfile> profiles;
  const std::map<std::string, double> rates = MeanRates(request.problem);
  for (const ServerType& type : request.problem.servers) {
    ASSIGN_OR_RETURN(auto cost, needs.costs(type));
    ASSIGN_OR_RETURN(
        RivalProfile profile,
        Profiler(*cost, rates).Profile(Statistics(request.problem), method));
    plan.costs.push_back(cost->Describe());
    costs.push_back(std::move(cost));
    profiles.push_back(std::move(profile));
  }
  const std::vector<RivalServer> servers = AllServers(request.problem);
  RivalProgram program(method, request.problem, servers, profiles);
  const IntegerProgram numbers = program.Write();
  auto optimum = MaximizeInteger(numbers, {.time = request.time_limit});
  if (!optimum.ok() && optimum.error().code() != ErrorCode::kNotFound &&
      optimum.error().code() != ErrorCode::kTimeout) {
    return optimum.error();
  }
  // Placing nothing is always possible; Cbc may find no more in time.
  const std::vector<double> values =
      optimum.ok() ? optimum->values
                   : std::vector<double>(numbers.columns.size(), 0);
  TakeValues(program, values, servers, plan);
  plan.worth.cut_short = !optimum.ok() || !optimum->optimal;
  RETURN_IF_ERROR(PredictPlan(plan, costs));
  plan.verification = VerifyPlacement(plan, costs);
  plan.elapsed = needs.clock.Now() - start;
  return plan;
}

}  // namespace mete
