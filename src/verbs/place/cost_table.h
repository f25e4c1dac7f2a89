// A cost table: contention on one type of server as a small YAML file that can
// be written by hand. It has the shape of a trained predictor of pressures.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "place/cost_model.h"
#include "support/result.h"

namespace mete {

// constant + slope . p
struct SlowdownPiece {
  double constant = 0;
  std::vector<double> slope;  // not negative
};

// One statistic of the service time: alone * (1 + max(0, pieces)). Monotone and
// convex in the pressures.
struct ServiceCost {
  Seconds alone{0};
  std::vector<SlowdownPiece> pieces;
};

// One application.
struct ApplicationCost {
  std::optional<Seconds> cpu_time{};  // of one request
  // Pressures of one instance: constant + per_rate * rate.
  std::vector<double> constant;
  std::vector<double> per_rate;
  std::map<SloStatistic, ServiceCost> service;
};

// The file.
struct CostTable {
  std::string note;  // where the numbers come from
  std::vector<std::string> pressures;
  std::map<std::string, ApplicationCost> applications;
};

// Fails with kInvalidInput and file, line and reason: unknown keys, vectors of
// the wrong length, negative numbers.
Result<CostTable> ParseCostTable(const std::string& text,
                                 const std::string& file);
Result<CostTable> ReadCostTable(const std::filesystem::path& file);
// The file of a table; ParseCostTable is its inverse.
std::string CostTableYaml(const CostTable& table);

// The cost model of a table. It knows service times only.
class TableCosts final : public CostModel {
 public:
  TableCosts(CostTable table, std::string file)
      : table_(std::move(table)), file_(std::move(file)) {}

  std::string Describe() const override;
  size_t pressures() const override { return table_.pressures.size(); }
  std::vector<std::string> Applications() const override;
  Result<std::vector<double>> PressureOf(const std::string& application,
                                         double rate) const override;
  Result<std::vector<PressureLimit>> LimitsFor(const LatencyQuestion& question,
                                               Seconds limit) const override;
  Result<LatencyAnswer> LatencyUnder(
      const LatencyQuestion& question,
      std::span<const double> pressure) const override;
  std::optional<Seconds> CpuTimeOf(
      const std::string& application) const override;

 private:
  Result<const ApplicationCost*> Find(const std::string& application) const;
  Result<const ServiceCost*> FindService(const LatencyQuestion& question) const;

  CostTable table_;
  std::string file_;
};

}  // namespace mete
