#include "place/cost_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "support/nearest.h"

namespace mete {
namespace {

double DotOf(const std::vector<double>& weights,
             std::span<const double> pressure) {
  double sum = 0;
  for (size_t k = 0; k < weights.size(); ++k) sum += weights[k] * pressure[k];
  return sum;
}

}  // namespace

std::string TableCosts::Describe() const {
  return table_.note.empty()
             ? "cost table " + file_
             : fmt::format("cost table {} ({})", file_, table_.note);
}

std::vector<std::string> TableCosts::Applications() const {
  std::vector<std::string> names;
  for (const auto& [name, cost] : table_.applications) names.push_back(name);
  return names;
}

Result<const ApplicationCost*> TableCosts::Find(
    const std::string& application) const {
  auto found = table_.applications.find(application);
  if (found != table_.applications.end()) return &found->second;
  const std::vector<std::string> known = Applications();
  return NotFound(fmt::format(
      "{} has no application '{}'{} it has {}", file_, application,
      DidYouMean(application, known).empty() ? ";"
                                             : DidYouMean(application, known),
      fmt::join(known, ", ")));
}

Result<const ServiceCost*> TableCosts::FindService(
    const LatencyQuestion& question) const {
  ASSIGN_OR_RETURN(const ApplicationCost* cost, Find(question.application));
  if (question.time == SloTime::kSojourn) {
    return Unsupported(fmt::format(
        "{} has service times only; sojourn times need a trained predictor",
        file_));
  }
  auto found = cost->service.find(question.statistic);
  if (found != cost->service.end()) return &found->second;
  return Unsupported(fmt::format("{} has no {} of {}", file_,
                                 ToString(question.statistic),
                                 question.application));
}

Result<std::vector<double>> TableCosts::PressureOf(
    const std::string& application, double rate) const {
  ASSIGN_OR_RETURN(const ApplicationCost* cost, Find(application));
  std::vector<double> pressure = cost->constant;
  for (size_t k = 0; k < pressure.size(); ++k) {
    pressure[k] += cost->per_rate[k] * rate;
  }
  return pressure;
}

Result<std::vector<PressureLimit>> TableCosts::LimitsFor(
    const LatencyQuestion& question, Seconds limit) const {
  ASSIGN_OR_RETURN(const ServiceCost* cost, FindService(question));
  const double slowdown = limit / cost->alone - 1;
  std::vector<PressureLimit> limits;
  if (slowdown < 0) {  // too slow even alone
    limits.push_back(
        {.weights = std::vector<double>(pressures(), 0), .bound = -1});
  }
  for (const SlowdownPiece& piece : cost->pieces) {
    limits.push_back(
        {.weights = piece.slope, .bound = slowdown - piece.constant});
  }
  return limits;
}

Result<LatencyAnswer> TableCosts::LatencyUnder(
    const LatencyQuestion& question, std::span<const double> pressure) const {
  ASSIGN_OR_RETURN(const ServiceCost* cost, FindService(question));
  double slowdown = 0;
  for (const SlowdownPiece& piece : cost->pieces) {
    slowdown =
        std::max(slowdown, piece.constant + DotOf(piece.slope, pressure));
  }
  return LatencyAnswer{.time = cost->alone * (1 + slowdown)};
}

std::optional<Seconds> TableCosts::CpuTimeOf(
    const std::string& application) const {
  auto found = table_.applications.find(application);
  if (found == table_.applications.end()) return std::nullopt;
  return found->second.cpu_time;
}

}  // namespace mete
