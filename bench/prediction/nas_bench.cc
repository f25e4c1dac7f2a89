// NAS-Bench-201 with the protocol of HELP (Lee et al., "Hardware-adaptive
// efficient latency prediction for NAS via meta-learning", NeurIPS 2021): all
// latencies of nine source devices are known, and ten networks are measured on
// each of six unseen devices. The score is the rank correlation over all other
// networks.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "bench/prediction/section.h"
#include "learn/errors.h"
#include "learn/low_rank.h"
#include "learn/transfer.h"
#include "support/random.h"

namespace mete::bench {
namespace {

constexpr std::array kSources = {"1080ti_1",    "1080ti_32",      "1080ti_256",
                                 "silver_4114", "silver_4210r",   "samsung_a50",
                                 "pixel3",      "essential_ph_1", "samsung_s7"};
constexpr std::array kTargets = {"titan_rtx_256", "gold_6226", "fpga",
                                 "pixel2",        "raspi4",    "eyeriss"};
constexpr std::array kOperators = {"none", "skip_connect", "nor_conv_1x1",
                                   "nor_conv_3x3", "avg_pool_3x3"};
constexpr size_t kSamples = 10;
constexpr size_t kCandidates = 1000;
constexpr uint64_t kSeeds = 20;

struct NasTable {
  Points sources;  // milliseconds
  Points counts;   // of operators
  std::vector<std::vector<double>> targets;

  size_t items() const { return sources.size(); }
};

std::vector<double> CountOperators(const std::string& architecture) {
  std::vector<double> counts;
  for (std::string_view name : kOperators) {
    std::string sought = "|" + std::string(name) + "~";
    double count = 0;
    for (size_t at = architecture.find(sought); at != std::string::npos;
         at = architecture.find(sought, at + 1)) {
      ++count;
    }
    counts.push_back(count);
  }
  return counts;
}

NasTable ParseTable(const std::vector<CsvRecord>& records) {
  const CsvRecord& heading = records[0];
  size_t architecture = FindColumn(heading, "arch");
  NasTable table;
  table.targets.resize(kTargets.size());
  for (size_t row = 1; row < records.size(); ++row) {
    const std::vector<std::string>& cells = records[row].cells;
    table.counts.push_back(CountOperators(cells[architecture]));
    table.sources.emplace_back();
    for (const char* source : kSources) {
      table.sources.back().push_back(
          ParseNumber(cells[FindColumn(heading, source)]));
    }
    for (size_t i = 0; i < kTargets.size(); ++i) {
      table.targets[i].push_back(
          ParseNumber(cells[FindColumn(heading, kTargets[i])]));
    }
  }
  return table;
}

// Predicts all items from the observed ones.
using Answer = std::function<Result<std::vector<double>>(
    const std::vector<double>& truth, const std::vector<size_t>& observed)>;

std::vector<size_t> AllItems(const NasTable& table) {
  std::vector<size_t> all(table.items());
  for (size_t i = 0; i < all.size(); ++i) all[i] = i;
  return all;
}

// Milliseconds, not their logarithm: a network's time is the sum of its
// operators' times, and some architectures take almost none.
TransferPrior MakePrior(const NasTable& table) {
  // For the level see docs/internals/transfer.md, "How to read them".
  TransferPrior prior{.blocks = {{.values = Standardised(table.counts)}},
                      .level_variance = 0.3};
  for (double noise : {0.001, 0.003, 0.01, 0.03, 0.1}) {
    prior.weights.push_back({{1.0}, noise});
  }
  Points unexplained = Unexplained(table.sources, table.counts);
  constexpr std::array kVariances = {0.01, 0.03, 0.1, 0.3};
  for (size_t source = 0; source < kSources.size(); ++source) {
    std::vector<double> column;
    for (const auto& row : unexplained) column.push_back(row[source]);
    for (double variance : kVariances) {
      prior.carriers.push_back(
          {.values = column,
           .slope_variance = variance,
           .prior = 1.0 / (kSources.size() * kVariances.size())});
    }
  }
  prior.carriers.push_back({.values = std::vector<double>(table.items(), 0.0)});
  return prior;
}

std::vector<double> ToMeans(const std::vector<GaussianEstimate>& estimates) {
  std::vector<double> means;
  for (const GaussianEstimate& estimate : estimates) {
    means.push_back(estimate.mean);
  }
  return means;
}

Result<std::vector<double>> Transfer(const TransferPrior& prior,
                                     const std::vector<double>& truth,
                                     const std::vector<size_t>& observed) {
  Points seen;
  for (size_t item : observed) seen.push_back({truth[item]});
  seen = Standardised(seen);  // does not change ranks
  std::vector<Observation> observations;
  for (size_t i = 0; i < observed.size(); ++i) {
    observations.push_back({observed[i], seen[i][0]});
  }
  ASSIGN_OR_RETURN(std::vector<GaussianEstimate> estimates,
                   EstimateItems(prior, observations));
  return ToMeans(estimates);
}

enum class Scale { kLog, kMilliseconds };

Result<std::vector<double>> GaussianAnswer(
    const Points& features, const std::vector<double>& truth,
    const std::vector<size_t>& observed, Scale scale = Scale::kLog,
    const std::optional<Kernel>& kernel = {}) {
  Points points;
  Points values;
  for (size_t item : observed) {
    points.push_back(features[item]);
    values.push_back(
        {scale == Scale::kLog ? std::log(truth[item]) : truth[item]});
  }
  std::vector<double> standardised;
  for (const auto& row : Standardised(values)) standardised.push_back(row[0]);
  ASSIGN_OR_RETURN(GaussianProcess process,
                   kernel ? GaussianProcess::Fit(points, standardised, *kernel)
                          : GaussianProcess::Fit(points, standardised));
  std::vector<double> answers;
  for (const auto& row : features) answers.push_back(process.Predict(row).mean);
  return answers;
}

Points LogSources(const NasTable& table) {
  Points logs = table.sources;
  for (auto& row : logs) {
    for (double& cell : row) cell = std::log(cell);
  }
  return Standardised(logs);
}

// Rank correlations: for each target the mean over seeds, for each seed the
// mean over targets.
struct Judged {
  std::vector<double> by_target;
  std::vector<double> by_seed;
};

// Standard error of the mean over seeds.
double StandardError(const std::vector<double>& by_seed) {
  double mean = ComputeMean(by_seed);
  double squares = 0;
  for (double value : by_seed) squares += (value - mean) * (value - mean);
  auto seeds = static_cast<double>(by_seed.size());
  return std::sqrt(squares / (seeds - 1) / seeds);
}

Result<Judged> Judge(const NasTable& table,
                     const std::vector<std::vector<size_t>>& samples,
                     const Answer& answer) {
  Judged judged{.by_seed = std::vector<double>(samples.size(), 0.0)};
  for (const std::vector<double>& truth : table.targets) {
    std::vector<double> over_seeds;
    for (const std::vector<size_t>& observed : samples) {
      ASSIGN_OR_RETURN(std::vector<double> predicted, answer(truth, observed));
      std::vector<double> left_truth;
      std::vector<double> left_predicted;
      for (size_t item = 0; item < table.items(); ++item) {
        if (std::count(observed.begin(), observed.end(), item) > 0) continue;
        left_truth.push_back(truth[item]);
        left_predicted.push_back(predicted[item]);
      }
      over_seeds.push_back(RankCorrelation(left_truth, left_predicted));
    }
    judged.by_target.push_back(ComputeMean(over_seeds));
    for (size_t i = 0; i < over_seeds.size(); ++i) {
      judged.by_seed[i] +=
          over_seeds[i] / static_cast<double>(table.targets.size());
    }
  }
  return judged;
}

std::string Detail(const std::vector<double>& correlations) {
  std::string text = "by device:";
  for (size_t i = 0; i < correlations.size(); ++i) {
    text += fmt::format(" {} {:.3f}", kTargets[i], correlations[i]);
  }
  return text;
}

}  // namespace

Result<Section> NasBench(const std::filesystem::path& data) {
  ASSIGN_OR_RETURN(
      std::vector<CsvRecord> records,
      ReadTable(data / "latency/help_nasbench201_latency_ms.csv.gz"));
  NasTable table = ParseTable(records);
  TransferPrior prior = MakePrior(table);
  std::vector<std::vector<size_t>> random;
  std::vector<std::vector<size_t>> chosen;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    random.push_back(Draw(AllItems(table), kSamples, seed));
    std::vector<size_t> candidates = Draw(AllItems(table), kCandidates, seed);
    chosen.push_back(ChooseItems(prior, {.candidates = candidates,
                                         .count = kSamples,
                                         .criterion = Criterion::kWidest,
                                         .weights = {{1.0}, 0.03}}));
  }
  Points logs = LogSources(table);
  Points both = Beside(logs, Standardised(table.counts));
  // The same scale and the same ten networks as mete, so only the method
  // differs.
  Points plain_both =
      Beside(Standardised(table.sources), Standardised(table.counts));
  TransferPrior counts_alone = prior;
  counts_alone.carriers.clear();
  Section section{.name = "NAS-Bench-201, HELP's protocol"};
  struct Rival {
    std::string name;
    const std::vector<std::vector<size_t>>& samples;
    Answer answer;
  };
  Kernel ridge{.rbf_variance = 0, .linear_variance = 1, .noise = 0.03};
  const Rival rivals[] = {
      {"mete, ten chosen", chosen,
       [&](const auto& truth, const auto& observed) {
         return Transfer(prior, truth, observed);
       }},
      {"mete, ten random", random,
       [&](const auto& truth, const auto& observed) {
         return Transfer(prior, truth, observed);
       }},
      {"counts alone, ms, ten chosen", chosen,
       [&](const auto& truth, const auto& observed) {
         return Transfer(counts_alone, truth, observed);
       }},
      {"plain GP, ms, ten chosen", chosen,
       [&](const auto& truth, const auto& observed) {
         return GaussianAnswer(plain_both, truth, observed,
                               Scale::kMilliseconds);
       }},
      {"plain GP, log, ten random", random,
       [&](const auto& truth, const auto& observed) {
         return GaussianAnswer(both, truth, observed);
       }},
      {"plain GP, log, ten chosen", chosen,
       [&](const auto& truth, const auto& observed) {
         return GaussianAnswer(both, truth, observed);
       }},
      {"ridge on sources, log, ten random", random,
       [&](const auto& truth, const auto& observed) {
         return GaussianAnswer(logs, truth, observed, Scale::kLog, ridge);
       }},
      {"counts alone, log, ten random", random,
       [&](const auto& truth, const auto& observed) {
         return GaussianAnswer(Standardised(table.counts), truth, observed);
       }},
  };
  for (const Rival& rival : rivals) {
    ASSIGN_OR_RETURN(Judged judged, Judge(table, rival.samples, rival.answer));
    Line line{.protocol = "6 unseen devices, 10 samples",
              .predictor = rival.name,
              .metric = fmt::format("mean rank correlation (s.e. {:.4f})",
                                    StandardError(judged.by_seed)),
              .value = ComputeMean(judged.by_target)};
    if (section.lines.empty()) {
      line.target = 0.95;
      line.goal = 0.965;
      section.note = Detail(judged.by_target);
    }
    section.lines.push_back(line);
  }
  section.lines.push_back({.protocol = "6 unseen devices, 10 samples",
                           .predictor = "HELP, as published",
                           .metric = "mean rank correlation",
                           .value = 0.932});
  section.note += fmt::format(
      "\n{} networks; the 9 source devices' latencies are inputs; {} seeds, "
      "each with {} candidates of which ten are chosen before any is measured "
      "on the target.",
      table.items(), kSeeds, kCandidates);
  return section;
}

}  // namespace mete::bench
