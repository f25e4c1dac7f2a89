#include "gpu_packing/gpu_prices.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "optimize/linear_program.h"

namespace mete {
namespace {

constexpr Seconds kPriceTimeLimit{5};
// Columns are added until none improves the prices, or this often.
constexpr int kMostRounds = 400;

// GPUs of one type in nodes of one size.
struct GpuPool {
  FreeNode example;
  double gpus = 0;
};

// A shape and how many pods of it arrive.
struct DemandClass {
  PodShape shape;
  double pods = 0;
};

std::vector<GpuPool> Pools(std::span<const FreeNode> nodes) {
  std::map<std::pair<GpuTypes, int>, GpuPool> pools;
  for (const FreeNode& node : nodes) {
    GpuPool& pool = pools[{node.type, node.gpus}];
    pool.example = node;
    pool.gpus += node.gpus;
  }
  std::vector<GpuPool> list;
  for (const auto& [key, pool] : pools) {
    if (pool.gpus > 0) list.push_back(pool);
  }
  return list;
}

std::vector<DemandClass> Classes(const GpuDemand& demand, double capacity) {
  double mean = 0;
  for (const PodShare& pod : demand.mix) {
    mean += pod.share * pod.shape.TotalGpuMilli();
  }
  std::vector<DemandClass> classes;
  for (const PodShare& pod : MergeByGpus(demand.mix)) {
    if (pod.shape.gpus == 0) continue;
    classes.push_back({.shape = pod.shape,
                       .pods = pod.share * demand.level * capacity / mean});
  }
  return classes;
}

// max sum of GPUs in use; pods of a class <= its demand; GPUs of a pool <= its
// size. A column is one GPU with the pods that share it, or one pod with
// several GPUs (Gilmore and Gomory's patterns).
class PatternProgram {
 public:
  PatternProgram(LinearProgram program, std::vector<GpuPool> pools,
                 std::vector<DemandClass> classes, int unit)
      : program_(std::move(program)),
        pools_(std::move(pools)),
        classes_(std::move(classes)),
        unit_(unit) {}

  // The price of each class's demand.
  Result<std::vector<double>> Solve() {
    AddAllRows();
    AddPodsWithSeveralGpus();
    for (int round = 0;; ++round) {
      ASSIGN_OR_RETURN(LinearOptimum optimum,
                       program_.Maximize(kPriceTimeLimit));
      std::vector<ProgramColumn> columns;
      for (size_t pool = 0; pool < pools_.size(); ++pool) {
        AddBestPattern(pool, optimum.prices, columns);
      }
      if (columns.empty() || round == kMostRounds) {
        return std::vector<double>(
            optimum.prices.begin() + static_cast<ptrdiff_t>(pools_.size()),
            optimum.prices.end());
      }
      program_.AddColumns(columns);
    }
  }

 private:
  void AddAllRows() {
    std::vector<ProgramRow> rows;
    for (const GpuPool& pool : pools_) rows.push_back({.upper = pool.gpus});
    for (const DemandClass& pods : classes_) {
      rows.push_back({.upper = pods.pods});
    }
    program_.AddRows(rows);
  }

  void AddPodsWithSeveralGpus() {
    std::vector<ProgramColumn> columns;
    for (size_t pool = 0; pool < pools_.size(); ++pool) {
      for (size_t i = 0; i < classes_.size(); ++i) {
        const PodShape& pod = classes_[i].shape;
        if (pod.gpus < 2 || pod.gpus > pools_[pool].example.gpus ||
            !TypeFits(pools_[pool].example, pod)) {
          continue;
        }
        columns.push_back(
            {.objective = static_cast<double>(pod.TotalGpuMilli()),
             .rows = {{pool, static_cast<double>(pod.gpus)},
                      {pools_.size() + i, 1}}});
      }
    }
    program_.AddColumns(columns);
  }

  // The pods on one GPU that gain most at these prices: a knapsack.
  void AddBestPattern(size_t pool, const std::vector<double>& prices,
                      std::vector<ProgramColumn>& columns) const {
    const auto units = static_cast<size_t>(kWholeGpu / unit_);
    std::vector<double> gain(units + 1, 0);
    std::vector<size_t> last(units + 1, classes_.size());
    for (size_t left = 1; left <= units; ++left) {
      gain[left] = gain[left - 1];
      for (size_t i = 0; i < classes_.size(); ++i) {
        const PodShape& pod = classes_[i].shape;
        const auto size = static_cast<size_t>(pod.gpu_milli / unit_);
        if (pod.gpus != 1 || size > left ||
            !TypeFits(pools_[pool].example, pod)) {
          continue;
        }
        const double with =
            gain[left - size] + pod.gpu_milli - prices[pools_.size() + i];
        if (with > gain[left] + 1e-9) {
          gain[left] = with;
          last[left] = i;
        }
      }
    }
    if (gain[units] <= prices[pool] + 1e-6 * kWholeGpu) return;
    columns.push_back(Pattern(pool, last));
  }

  ProgramColumn Pattern(size_t pool, const std::vector<size_t>& last) const {
    std::map<size_t, double> pods;
    for (size_t left = last.size() - 1; left > 0;) {
      if (last[left] == classes_.size()) {
        --left;
        continue;
      }
      ++pods[last[left]];
      left -= static_cast<size_t>(classes_[last[left]].shape.gpu_milli / unit_);
    }
    ProgramColumn column{.rows = {{pool, 1}}};
    for (const auto& [pod, count] : pods) {
      column.objective += count * classes_[pod].shape.gpu_milli;
      column.rows.push_back({pools_.size() + pod, count});
    }
    return column;
  }

  LinearProgram program_;
  std::vector<GpuPool> pools_;
  std::vector<DemandClass> classes_;
  int unit_;
};

}  // namespace

int GpuUnit(std::span<const PodShare> mix) {
  int unit = kWholeGpu;
  for (const PodShare& pod : mix) {
    if (pod.shape.gpus > 0) unit = std::gcd(unit, pod.shape.gpu_milli);
  }
  return unit;
}

Result<std::vector<PricedShape>> PriceShapes(std::span<const FreeNode> nodes,
                                             const GpuDemand& demand) {
  std::vector<GpuPool> pools = Pools(nodes);
  double capacity = 0;
  for (const GpuPool& pool : pools) capacity += pool.gpus * kWholeGpu;
  const std::vector<DemandClass> classes = Classes(demand, capacity);
  if (classes.empty() || pools.empty()) return std::vector<PricedShape>{};
  ASSIGN_OR_RETURN(LinearProgram program, LinearProgram::Create());
  ASSIGN_OR_RETURN(std::vector<double> prices,
                   PatternProgram(std::move(program), std::move(pools), classes,
                                  GpuUnit(demand.mix))
                       .Solve());
  std::vector<PricedShape> priced;
  for (size_t i = 0; i < classes.size(); ++i) {
    const PodShape& shape = classes[i].shape;
    priced.push_back(
        {.shape = shape,
         .worth = std::max(0.0, shape.TotalGpuMilli() - prices[i])});
  }
  return priced;
}

}  // namespace mete
