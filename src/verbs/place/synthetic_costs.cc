#include "place/synthetic_costs.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string>

#include "place/neuro_catalogue.h"

namespace mete {
namespace {

// Invented properties of an application.
struct InventedTraits {
  std::string_view name;
  double threads;     // busy during a request
  double traffic_gb;  // of memory, per request
  double feels_cpu;   // how much busy cores slow it down
  double feels_memory;
};
constexpr std::array<InventedTraits, 9> kInventedTraits = {{
    {"tclf-gcn", 2, 0.05, 0.9, 1.1},
    {"tclf-rf", 1, 0.002, 0.6, 0.5},
    {"tstr-lstm", 1, 0.05, 0.8, 1.2},
    {"kalman-gru", 1, 0.001, 0.5, 0.4},
    {"iclf-mnet", 4, 0.1, 1.2, 1.0},
    {"text-bert", 4, 0.5, 1.1, 1.5},
    {"iclf-efnet", 4, 0.8, 1.3, 1.6},
    {"text-tbert", 2, 0.05, 0.9, 0.8},
    {"iclf-mvit", 4, 0.1, 1.2, 1.1},
}};

// Invented factors of a statistic over the mean: of the latency alone and of
// the slowdown. Higher statistics are larger in both, so they never cross.
struct InventedSpread {
  SloStatistic statistic;
  double alone;
  double slowdown;
};
constexpr std::array<InventedSpread, 4> kInventedSpreads = {{
    {SloStatistic::kMean, 1, 1},
    {SloStatistic::kP75, 1.05, 1.1},
    {SloStatistic::kP95, 1.2, 1.5},
    {SloStatistic::kP99, 1.5, 2},
}};

// The invented curve: gentle below saturation, steep above it.
struct InventedPiece {
  double from;  // the sum of the pressures at which it starts
  double cpu;
  double memory;
};
constexpr std::array<InventedPiece, 3> kInventedPieces = {{
    {0, 0.3, 0.4},
    {0.7, 3, 3},
    {1.1, 40, 25},
}};

// Background work and cache of an instance without load, as a share of one core
// and of 1 GB/s.
constexpr double kIdleCores = 0.02;
constexpr double kIdleTraffic = 0.05;

// To six digits, so that files show the numbers that are used.
double SixDigits(double value) {
  if (value == 0) return 0;
  const double scale = std::pow(10, 5 - std::floor(std::log10(value)));
  return std::round(value * scale) / scale;
}

ServiceCost InventService(const InventedTraits& traits,
                          const InventedSpread& spread, double base) {
  ServiceCost cost{.alone = Seconds(SixDigits(base * spread.alone)),
                   .pieces = {}};
  for (const InventedPiece& piece : kInventedPieces) {
    const double cpu = piece.cpu * traits.feels_cpu * spread.slowdown;
    const double memory = piece.memory * traits.feels_memory * spread.slowdown;
    // The piece is 0 where only the cores are busy to the share `from`.
    cost.pieces.push_back({.constant = -SixDigits(cpu * piece.from),
                           .slope = {SixDigits(cpu), SixDigits(memory)}});
  }
  return cost;
}

}  // namespace

CostTable MakeSyntheticCosts(const SyntheticServer& server) {
  CostTable table{
      .note = fmt::format("synthetic: NeuRO's base latencies x {:g}; {:g} "
                          "cores, {:g} GB/s and all coefficients are invented",
                          server.slowness, server.cores, server.bandwidth),
      .pressures = {"cpu", "memory"},
      .applications = {}};
  for (size_t i = 0; i < kNeuroCatalogue.size(); ++i) {
    const InventedTraits& traits = kInventedTraits[i];
    const double base = kNeuroCatalogue[i].base_latency_s * server.slowness;
    const double cpu_time = base * traits.threads;
    ApplicationCost cost{
        .cpu_time = Seconds(SixDigits(cpu_time)),
        .constant = {SixDigits(kIdleCores / server.cores),
                     SixDigits(kIdleTraffic / server.bandwidth)},
        .per_rate = {SixDigits(cpu_time / server.cores),
                     SixDigits(traits.traffic_gb / server.bandwidth)},
        .service = {}};
    for (const InventedSpread& spread : kInventedSpreads) {
      cost.service[spread.statistic] = InventService(traits, spread, base);
    }
    table.applications[std::string(traits.name)] = std::move(cost);
  }
  return table;
}

}  // namespace mete
