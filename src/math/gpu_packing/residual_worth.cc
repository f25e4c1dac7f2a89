#include "gpu_packing/residual_worth.h"

#include <algorithm>

namespace mete {
namespace {

// Each price is this share of the next higher one.
constexpr double kPriceStep = 0.75;

int FreeGpus(const FreeNode& node) {
  return static_cast<int>(std::count(
      node.gpu_milli.begin(), node.gpu_milli.begin() + node.gpus, kWholeGpu));
}

}  // namespace

ResidualWorth::ResidualWorth(std::span<const PricedShape> shapes,
                             std::span<const GpuTypes> types, int unit)
    : unit_(unit) {
  SetPrices(shapes);
  for (const GpuTypes type : types) {
    TypeTables& tables = tables_[type];
    tables.part.resize(static_cast<size_t>(kWholeGpu / unit) + 1);
    for (size_t price = 0; price < kCpuPrices; ++price) {
      Fill(tables, shapes, type, price);
    }
  }
}

// From the price at which no pod is worth its CPU downwards, and 0.
void ResidualWorth::SetPrices(std::span<const PricedShape> shapes) {
  double price = 0;
  for (const PricedShape& pod : shapes) {
    if (pod.shape.cpu_milli == 0) continue;
    price =
        std::max(price, pod.worth / static_cast<double>(pod.shape.cpu_milli));
  }
  for (size_t i = kCpuPrices - 1; i > 0; --i) {
    prices_[i] = price;
    price *= kPriceStep;
  }
}

void ResidualWorth::Fill(TypeTables& tables,
                         std::span<const PricedShape> shapes, GpuTypes type,
                         size_t price) const {
  const size_t units = tables.part.size() - 1;
  // The best pod of each size on one GPU, and of each number of GPUs.
  std::vector<double> of_size(units + 1, 0);
  std::array<double, kMostGpus + 1> of_count{};
  for (const PricedShape& pod : shapes) {
    const PodShape& shape = pod.shape;
    if (shape.types != 0 && (shape.types & type) == 0) continue;
    const double gain =
        pod.worth - prices_[price] * static_cast<double>(shape.cpu_milli);
    double& best = shape.gpus == 1
                       ? of_size[static_cast<size_t>(shape.gpu_milli / unit_)]
                       : of_count[static_cast<size_t>(shape.gpus)];
    best = std::max(best, gain);
  }
  for (size_t left = 1; left <= units; ++left) {
    double& worth = tables.part[left][price];
    worth = tables.part[left - 1][price];
    for (size_t size = 1; size <= left; ++size) {
      if (of_size[size] == 0) continue;
      worth = std::max(worth, tables.part[left - size][price] + of_size[size]);
    }
  }
  for (size_t free = 1; free < tables.whole.size(); ++free) {
    double& worth = tables.whole[free][price];
    worth = tables.whole[free - 1][price] + tables.part[units][price];
    for (size_t count = 2; count <= free; ++count) {
      worth =
          std::max(worth, tables.whole[free - count][price] + of_count[count]);
    }
  }
}

PerCpuPrice ResidualWorth::OfGpus(const FreeNode& node) const {
  const TypeTables& tables = tables_.at(node.type);
  PerCpuPrice sum = tables.whole[static_cast<size_t>(FreeGpus(node))];
  for (int i = 0; i < node.gpus; ++i) {
    const int left = node.gpu_milli[static_cast<size_t>(i)];
    if (left == kWholeGpu || left < unit_) continue;
    const PerCpuPrice& part = Part(tables, left);
    for (size_t p = 0; p < kCpuPrices; ++p) sum[p] += part[p];
  }
  return sum;
}

double ResidualWorth::Of(const PerCpuPrice& gpus, int64_t cpu_milli) const {
  const auto cpu = static_cast<double>(cpu_milli);
  double least = prices_[0] * cpu + gpus[0];
  for (size_t p = 1; p < kCpuPrices; ++p) {
    least = std::min(least, prices_[p] * cpu + gpus[p]);
  }
  return least;
}

double ResidualWorth::After(const FreeNode& node, const PerCpuPrice& gpus,
                            const PodShape& pod, GpuSet chosen) const {
  PerCpuPrice after = gpus;
  if (pod.gpus > 0) {
    const TypeTables& tables = tables_.at(node.type);
    const auto gpu = static_cast<size_t>(std::countr_zero(chosen.bits));
    const int left = node.gpu_milli[gpu];
    if (left == kWholeGpu) {
      const auto free = static_cast<size_t>(FreeGpus(node));
      const PerCpuPrice& before = tables.whole[free];
      const PerCpuPrice& fewer =
          tables.whole[free - static_cast<size_t>(pod.gpus)];
      for (size_t p = 0; p < kCpuPrices; ++p) after[p] += fewer[p] - before[p];
    } else {
      const PerCpuPrice& before = Part(tables, left);
      for (size_t p = 0; p < kCpuPrices; ++p) after[p] -= before[p];
    }
    if (pod.shares()) {
      const PerCpuPrice& rest = Part(tables, left - pod.gpu_milli);
      for (size_t p = 0; p < kCpuPrices; ++p) after[p] += rest[p];
    }
  }
  return Of(after, node.cpu_milli - pod.cpu_milli);
}

}  // namespace mete
