// What the free part of a node is worth: the pods it could still serve.
#pragma once

#include <array>
#include <map>
#include <span>
#include <vector>

#include "gpu_packing/gpu_prices.h"

namespace mete {

// The number of CPU prices that are tried.
inline constexpr size_t kCpuPrices = 24;
// A value for each CPU price.
using PerCpuPrice = std::array<double, kCpuPrices>;

// An upper bound of the most worth that pods could have together on the free
// part of a node, by Lagrangian relaxation of its CPU: pods pay a price for
// CPU, each GPU is a knapsack of its own, and the lowest bound of all prices
// counts. Memory is ignored. Built once for a list of shapes; evaluated a
// million times in a run.
class ResidualWorth {
 public:
  // `types` are those that nodes have. `unit` as from GpuUnit.
  ResidualWorth(std::span<const PricedShape> shapes,
                std::span<const GpuTypes> types, int unit);

  // The worth of the GPUs of a node, before CPU is paid.
  PerCpuPrice OfGpus(const FreeNode& node) const;
  // The worth of a node whose GPUs are worth `gpus`.
  double Of(const PerCpuPrice& gpus, int64_t cpu_milli) const;
  // The worth of the node with the pod on these GPUs; `gpus` as from OfGpus of
  // the node without it.
  double After(const FreeNode& node, const PerCpuPrice& gpus,
               const PodShape& pod, GpuSet chosen) const;

 private:
  // The worth of parts and of whole GPUs of one type.
  struct TypeTables {
    std::vector<PerCpuPrice> part;                   // by units left
    std::array<PerCpuPrice, kMostGpus + 1> whole{};  // by free GPUs
  };
  void SetPrices(std::span<const PricedShape> shapes);
  void Fill(TypeTables& tables, std::span<const PricedShape> shapes,
            GpuTypes type, size_t price) const;
  const PerCpuPrice& Part(const TypeTables& tables, int gpu_milli) const {
    return tables.part[static_cast<size_t>(gpu_milli / unit_)];
  }

  int unit_;
  PerCpuPrice prices_{};  // worth for a thousandth of a CPU
  std::map<GpuTypes, TypeTables> tables_;
};

}  // namespace mete
