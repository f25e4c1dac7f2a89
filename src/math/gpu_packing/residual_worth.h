// What the free part of a node is worth: the pods it could still serve.
#pragma once

#include <array>
#include <map>
#include <span>
#include <vector>

#include "gpu_packing/gpu_prices.h"

namespace mete {

// The number of prices that are tried: half of them for CPU and half for
// memory.
inline constexpr size_t kPrices = 32;
// A value for each price.
using PerPrice = std::array<double, kPrices>;

// An upper bound of the most worth that pods could have together on the free
// part of a node, by Lagrangian relaxation of its CPU or its memory: pods pay a
// price for one of them, each GPU is a knapsack of its own, and the lowest
// bound of all prices counts. Built once for a list of shapes; evaluated a
// million times in a run.
class ResidualWorth {
 public:
  // `types` are those that nodes have. `unit` as from GpuUnit.
  ResidualWorth(std::span<const PricedShape> shapes,
                std::span<const GpuTypes> types, int unit);

  // The worth of the GPUs of a node, before CPU and memory are paid.
  PerPrice OfGpus(const FreeNode& node) const;
  // The worth of a node whose GPUs are worth `gpus`.
  double Of(const PerPrice& gpus, const FreeNode& node) const;
  // The worth of the node with the pod on these GPUs; `gpus` as from OfGpus of
  // the node without it.
  double After(const FreeNode& node, const PerPrice& gpus, const PodShape& pod,
               GpuSet chosen) const;

 private:
  // The worth of parts and of whole GPUs of one type.
  struct TypeTables {
    std::vector<PerPrice> part;                   // by units left
    std::array<PerPrice, kMostGpus + 1> whole{};  // by free GPUs
  };
  // What a thousandth of a CPU and a MiB cost.
  struct Price {
    double cpu_milli = 0;
    double memory_mib = 0;
  };
  void SetPrices(std::span<const PricedShape> shapes);
  void Fill(TypeTables& tables, std::span<const PricedShape> shapes,
            GpuTypes type, size_t price) const;
  double Least(const PerPrice& gpus, int64_t cpu_milli,
               int64_t memory_mib) const;
  const PerPrice& Part(const TypeTables& tables, int gpu_milli) const {
    return tables.part[static_cast<size_t>(gpu_milli / unit_)];
  }

  int unit_;
  std::array<Price, kPrices> prices_;
  std::map<GpuTypes, TypeTables> tables_;
};

}  // namespace mete
