#include "gpu_packing/residual_worth.h"

#include <algorithm>
#include <limits>

namespace mete {
namespace {

// Each price is this share of the next higher one.
constexpr double kPriceStep = 0.65;

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
    for (size_t price = 0; price < kPrices; ++price) {
      Fill(tables, shapes, type, price);
    }
  }
}

// Of CPU and of memory: from the price at which no pod is worth it downwards.
// The last one of each is 0.
void ResidualWorth::SetPrices(std::span<const PricedShape> shapes) {
  Price price;
  for (const auto& [shape, worth] : shapes) {
    if (shape.cpu_milli > 0) {
      price.cpu_milli = std::max(price.cpu_milli,
                                 worth / static_cast<double>(shape.cpu_milli));
    }
    if (shape.memory_mib > 0) {
      price.memory_mib = std::max(
          price.memory_mib, worth / static_cast<double>(shape.memory_mib));
    }
  }
  for (size_t i = 0; i + 2 < kPrices; i += 2) {
    prices_[i].cpu_milli = price.cpu_milli;
    prices_[i + 1].memory_mib = price.memory_mib;
    price.cpu_milli *= kPriceStep;
    price.memory_mib *= kPriceStep;
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
        pod.worth -
        prices_[price].cpu_milli * static_cast<double>(shape.cpu_milli) -
        prices_[price].memory_mib * static_cast<double>(shape.memory_mib);
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

PerPrice ResidualWorth::OfGpus(const FreeNode& node) const {
  const TypeTables& tables = tables_.at(node.type);
  PerPrice sum = tables.whole[static_cast<size_t>(FreeGpus(node))];
  for (int i = 0; i < node.gpus; ++i) {
    const int left = node.gpu_milli[static_cast<size_t>(i)];
    if (left == kWholeGpu || left < unit_) continue;
    const PerPrice& part = Part(tables, left);
    for (size_t p = 0; p < kPrices; ++p) sum[p] += part[p];
  }
  return sum;
}

double ResidualWorth::Least(const PerPrice& gpus, int64_t cpu_milli,
                            int64_t memory_mib) const {
  const auto cpu = static_cast<double>(cpu_milli);
  const auto memory = static_cast<double>(memory_mib);
  double least = std::numeric_limits<double>::infinity();
  for (size_t p = 0; p < kPrices; ++p) {
    least = std::min(least, gpus[p] + prices_[p].cpu_milli * cpu +
                                prices_[p].memory_mib * memory);
  }
  return least;
}

double ResidualWorth::Of(const PerPrice& gpus, const FreeNode& node) const {
  return Least(gpus, node.cpu_milli, node.memory_mib);
}

double ResidualWorth::After(const FreeNode& node, const PerPrice& gpus,
                            const PodShape& pod, GpuSet chosen) const {
  PerPrice after = gpus;
  if (pod.gpus > 0) {
    const TypeTables& tables = tables_.at(node.type);
    const auto gpu = static_cast<size_t>(std::countr_zero(chosen.bits));
    const int left = node.gpu_milli[gpu];
    if (left == kWholeGpu) {
      const auto free = static_cast<size_t>(FreeGpus(node));
      const PerPrice& before = tables.whole[free];
      const PerPrice& fewer =
          tables.whole[free - static_cast<size_t>(pod.gpus)];
      for (size_t p = 0; p < kPrices; ++p) after[p] += fewer[p] - before[p];
    } else {
      const PerPrice& before = Part(tables, left);
      for (size_t p = 0; p < kPrices; ++p) after[p] -= before[p];
    }
    if (pod.shares()) {
      const PerPrice& rest = Part(tables, left - pod.gpu_milli);
      for (size_t p = 0; p < kPrices; ++p) after[p] += rest[p];
    }
  }
  return Least(after, node.cpu_milli - pod.cpu_milli,
               node.memory_mib - pod.memory_mib);
}

}  // namespace mete
