// timm's inference benchmarks: 20 runs on 2 CPUs and 4 GPUs. One device is left
// out with all its runs. For each of its runs, 20 networks are measured and the
// time per picture of all others is predicted.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>

#include "bench/prediction/section.h"
#include "learn/errors.h"
#include "learn/low_rank.h"
#include "learn/transfer.h"

namespace mete::bench {
namespace {

constexpr size_t kCalibration = 20;
constexpr size_t kCandidates = 800;
constexpr uint64_t kSeeds = 3;
constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

// Each item is a network at one picture size.
struct ImageTable {
  std::vector<std::string> runs;
  std::vector<std::string> networks;
  // Log milliseconds per picture, one column per run; NaN: not run.
  Points logs;
  Points sizes;  // logs of MACs, activations, parameters, picture; NaN: unknown
};

// Name of the physical device of a run.
std::string DeviceForRun(const std::string& run) {
  for (const char* name :
       {"i9_10940x", "i7_12700h", "3090", "4090", "5090", "pro6000maxq"}) {
    if (run.find(name) != std::string::npos) return name;
  }
  return run;
}

bool IsCpu(const std::string& run) {
  return run.find("-cpu-") != std::string::npos;
}

ImageTable ParseTable(const std::vector<CsvRecord>& records) {
  const CsvRecord& heading = records[0];
  size_t run_column = FindColumn(heading, "run");
  size_t network_column = FindColumn(heading, "model");
  size_t picture = FindColumn(heading, "img_size");
  size_t rate = FindColumn(heading, "samples_per_s");
  const std::array<size_t, 4> sizes = {
      FindColumn(heading, "gmacs"), FindColumn(heading, "macts_m"),
      FindColumn(heading, "params_m"), picture};
  ImageTable table;
  std::map<std::string, size_t> runs;
  std::map<std::string, size_t> items;
  for (size_t i = 1; i < records.size(); ++i) {
    runs.try_emplace(records[i].cells[run_column], runs.size());
  }
  table.runs.resize(runs.size());
  for (const auto& [run, column] : runs) table.runs[column] = run;
  for (size_t i = 1; i < records.size(); ++i) {
    const std::vector<std::string>& cells = records[i].cells;
    auto [item, added] = items.try_emplace(
        cells[network_column] + "@" + cells[picture], items.size());
    if (added) {
      table.networks.push_back(cells[network_column]);
      table.logs.emplace_back(runs.size(), kMissing);
      table.sizes.emplace_back(sizes.size(), kMissing);
    }
    table.logs[item->second][runs[cells[run_column]]] =
        std::log(1000 / ParseNumber(cells[rate]));
    for (size_t j = 0; j < sizes.size(); ++j) {
      double size = ParseNumber(cells[sizes[j]]);
      if (size > 0) table.sizes[item->second][j] = std::log(size);
    }
  }
  return table;
}

// Names as vectors of their letter trigrams, hashed (FNV-1a) and scaled so that
// the product of a name with itself is 1. Networks of a family share most
// trigrams.
Points NameVectors(const std::vector<std::string>& names) {
  constexpr size_t kBuckets = 512;
  Points rows;
  for (const std::string& full : names) {
    std::string name = "_" + full.substr(0, full.find('.'));
    std::set<size_t> present;
    for (size_t i = 0; i + 3 <= name.size(); ++i) {
      uint64_t hash = 0xcbf29ce484222325;
      for (size_t j = i; j < i + 3; ++j) {
        hash = (hash ^ static_cast<unsigned char>(name[j])) * 0x100000001b3;
      }
      present.insert(hash % kBuckets);
    }
    std::vector<double> row(kBuckets, 0.0);
    for (size_t bucket : present) {
      row[bucket] = std::sqrt(kBuckets / static_cast<double>(present.size()));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

Points Columns(const Points& rows, size_t from, size_t count) {
  Points chosen;
  for (const auto& row : rows) {
    auto first = row.begin() + static_cast<std::ptrdiff_t>(from);
    chosen.emplace_back(first, first + static_cast<std::ptrdiff_t>(count));
  }
  return chosen;
}

Points Scaled(Points rows, double factor) {
  for (auto& row : rows) {
    for (double& cell : row) cell *= factor;
  }
  return rows;
}

// The training data when a device is left out.
struct Known {
  Points sources;  // gaps filled
  Points sizes;    // standardised
};

Known KnownWithout(const ImageTable& table, const std::string& device) {
  Points sizes = Standardised(FillMissing(table.sizes, 2));
  Points sources;
  for (const auto& row : table.logs) {
    sources.emplace_back();
    for (size_t run = 0; run < table.runs.size(); ++run) {
      if (DeviceForRun(table.runs[run]) != device)
        sources.back().push_back(row[run]);
    }
  }
  size_t columns = sources[0].size();
  Points filled = FillMissing(Beside(sources, sizes), 4);
  return {.sources = Columns(filled, 0, columns), .sizes = sizes};
}

// Relative weights of the four blocks, times a common scale.
std::vector<PriorWeights> WeightsToTry() {
  constexpr double kRelative[][3] = {
      {1, 1, 1}, {1, 0.3, 0.3}, {0.3, 1, 0.3}, {0.3, 0.3, 1}};
  std::vector<PriorWeights> tried;
  for (double scale : {0.005, 0.015, 0.05, 0.15}) {
    for (const auto& relative : kRelative) {
      for (double noise : {0.1, 0.3}) {
        tried.push_back(
            {{scale * relative[0], scale * relative[1], scale * relative[2]},
             scale * noise});
      }
    }
  }
  return tried;
}

// Devices differ mainly by a constant factor, then as the source devices differ
// from each other, then by kind of network.
TransferPrior MakePrior(const Known& known, const Points& names) {
  Points scores = DifferenceScores(known.sources, 6);
  TransferPrior prior{
      .blocks = {{.values = scores},
                 {.shape = CovarianceBlock::Shape::kRbf,
                  .values = Beside(scores, Scaled(known.sizes, 0.5)),
                  .length = 0.7},
                 {.values = names}},
      .weights = WeightsToTry(),
      .temper = 0.5};
  size_t sources = known.sources[0].size();
  std::vector<double> mean(known.sources.size(), 0.0);
  for (size_t source = 0; source < sources; ++source) {
    std::vector<double> column;
    for (size_t i = 0; i < mean.size(); ++i) {
      column.push_back(known.sources[i][source]);
      mean[i] += column[i] / static_cast<double>(sources);
    }
    prior.carriers.push_back(
        {.values = std::move(column), .slope = 1, .slope_variance = 0.003});
  }
  prior.carriers.push_back(
      {.values = std::move(mean), .slope = 1, .slope_variance = 0.003});
  return prior;
}

// One source times one factor; the calibration runs select the source.
TransferPrior FactorAlone(const TransferPrior& full) {
  TransferPrior prior{.weights = {{{}, 0.003}, {{}, 0.01}, {{}, 0.03}},
                      .level_variance = full.level_variance};
  for (Carrier carrier : full.carriers) {
    carrier.slope_variance = 0;
    prior.carriers.push_back(std::move(carrier));
  }
  return prior;
}

std::vector<Observation> Observe(const ImageTable& table, size_t run,
                                 const std::vector<size_t>& items) {
  std::vector<Observation> observations;
  for (size_t item : items) {
    observations.push_back({item, table.logs[item][run]});
  }
  return observations;
}

Result<std::vector<GaussianEstimate>> GaussianAnswer(
    const Points& features, const std::vector<Observation>& observations,
    const std::optional<Kernel>& kernel = {}) {
  Points points;
  std::vector<double> values;
  for (const Observation& observation : observations) {
    points.push_back(features[observation.item]);
    values.push_back(observation.value);
  }
  ASSIGN_OR_RETURN(GaussianProcess process,
                   kernel ? GaussianProcess::Fit(points, values, *kernel)
                          : GaussianProcess::Fit(points, values));
  std::vector<GaussianEstimate> estimates;
  for (const auto& row : features) estimates.push_back(process.Predict(row));
  return estimates;
}

ErrorSummary Judge(const ImageTable& table, size_t run,
                   const std::vector<size_t>& observed,
                   const std::vector<GaussianEstimate>& estimates) {
  std::vector<double> truth;
  std::vector<double> predicted;
  for (size_t item = 0; item < table.logs.size(); ++item) {
    if (std::isnan(table.logs[item][run]) ||
        std::count(observed.begin(), observed.end(), item) > 0) {
      continue;
    }
    truth.push_back(std::exp(table.logs[item][run]));
    predicted.push_back(std::exp(estimates[item].mean));
  }
  return SummariseErrors(truth, predicted);
}

enum Rival {
  kMeteChosen,
  kMeteRandom,
  kPlainChosen,
  kPlain,
  kRidge,
  kFactor,
  kSizes,
  kRivals
};
constexpr std::array<const char*, kRivals> kNames = {
    "mete, 20 chosen",
    "mete, 20 random",
    "plain GP, 20 chosen",
    "plain GP, 20 random",
    "ridge on sources and sizes, 20 random",
    "one source times a factor, 20 random",
    "sizes only, 20 random"};

// Means over the seeds.
struct RunScores {
  double within_10 = 0;
  double median = 0;
};
using Scores = std::array<std::vector<RunScores>, kRivals>;  // by run

class Experiment {
 public:
  explicit Experiment(const ImageTable& table)
      : table_(table), names_(NameVectors(table.networks)) {}

  Result<Scores> Run() {
    Scores scores;
    for (auto& of_rival : scores) of_rival.resize(table_.runs.size());
    std::map<std::string, std::vector<size_t>> devices;
    for (size_t run = 0; run < table_.runs.size(); ++run) {
      devices[DeviceForRun(table_.runs[run])].push_back(run);
    }
    for (const auto& [device, runs] : devices) {
      Known known = KnownWithout(table_, device);
      TransferPrior prior = MakePrior(known, names_);
      for (size_t run : runs) {
        for (uint64_t seed = 0; seed < kSeeds; ++seed) {
          RETURN_IF_ERROR(JudgeRun(known, prior, run, seed, scores));
        }
      }
    }
    return scores;
  }

 private:
  Status JudgeRun(const Known& known, const TransferPrior& prior, size_t run,
                  uint64_t seed, Scores& scores) {
    std::vector<size_t> there;
    for (size_t item = 0; item < table_.logs.size(); ++item) {
      if (!std::isnan(table_.logs[item][run])) there.push_back(item);
    }
    std::vector<size_t> random = Draw(there, kCalibration, seed);
    std::vector<size_t> candidates = Draw(there, kCandidates, seed);
    std::vector<size_t> chosen =
        ChooseItems(prior, {.candidates = candidates,
                            .count = kCalibration,
                            .criterion = Criterion::kMostInformative,
                            .weights = {{0.03, 0.03, 0.03}, 0.01}});
    std::vector<Observation> at_random = Observe(table_, run, random);
    std::vector<Observation> as_chosen = Observe(table_, run, chosen);
    Points both = Beside(Standardised(known.sources), known.sizes);
    Kernel ridge{.rbf_variance = 0, .linear_variance = 4, .noise = 0.02};
    const Result<std::vector<GaussianEstimate>> answers[] = {
        EstimateItems(prior, as_chosen),
        EstimateItems(prior, at_random),
        GaussianAnswer(both, as_chosen),
        GaussianAnswer(both, at_random),
        GaussianAnswer(both, at_random, ridge),
        EstimateItems(FactorAlone(prior), at_random),
        GaussianAnswer(known.sizes, at_random)};
    for (size_t rival = 0; rival < kRivals; ++rival) {
      if (!answers[rival].ok()) return answers[rival].error();
      ErrorSummary errors =
          Judge(table_, run,
                rival == kMeteChosen || rival == kPlainChosen ? chosen : random,
                *answers[rival]);
      scores[rival][run].within_10 += errors.within_10 / kSeeds;
      scores[rival][run].median += errors.median_relative / kSeeds;
    }
    return {};
  }

  const ImageTable& table_;
  Points names_;
};

double MeanWithin10(const ImageTable& table,
                    const std::vector<RunScores>& scores, bool cpus_too) {
  std::vector<double> shares;
  for (size_t run = 0; run < scores.size(); ++run) {
    if (cpus_too || !IsCpu(table.runs[run])) {
      shares.push_back(scores[run].within_10);
    }
  }
  return ComputeMean(shares);
}

std::string Detail(const ImageTable& table,
                   const std::vector<RunScores>& scores) {
  std::string text = "by run, within 10 % and median error:\n";
  for (size_t run = 0; run < scores.size(); ++run) {
    text += fmt::format("  {:<44}  {:5.1f} %  {:5.1f} %\n", table.runs[run],
                        100 * scores[run].within_10, 100 * scores[run].median);
  }
  return text;
}

}  // namespace

Result<Section> ImageNetworks(const std::filesystem::path& data) {
  ASSIGN_OR_RETURN(std::vector<CsvRecord> records,
                   ReadTable(data / "latency/timm_infer_benchmarks.csv.gz"));
  ImageTable table = ParseTable(records);
  ASSIGN_OR_RETURN(Scores scores, Experiment(table).Run());
  Section section{.name = "timm inference benchmarks"};
  for (size_t rival = 0; rival < kRivals; ++rival) {
    Line line{.protocol = "one device out, 20 calibration runs",
              .predictor = kNames[rival],
              .metric = "within 10 %",
              .value = MeanWithin10(table, scores[rival], true),
              .shares = true};
    if (rival == kMeteChosen) {
      line.target = 0.75;
      line.goal = 0.85;
    }
    section.lines.push_back(line);
    if (rival != kMeteChosen) continue;
    section.lines.push_back({.protocol = "the same, the 17 runs on GPUs",
                             .predictor = kNames[rival],
                             .metric = "within 10 %",
                             .value = MeanWithin10(table, scores[rival], false),
                             .shares = true});
  }
  section.note = Detail(table, scores[kMeteChosen]) +
                 fmt::format(
                     "{} networks at a picture size, {} runs, mean over runs; "
                     "{} seeds, each with {} candidates of which 20 are chosen "
                     "before any is measured on the target.",
                     table.logs.size(), table.runs.size(), kSeeds, kCandidates);
  return section;
}

}  // namespace mete::bench
