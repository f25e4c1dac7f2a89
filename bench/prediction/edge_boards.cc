// Fifteen networks on a Raspberry Pi 4B and a Jetson Nano under load. Each
// network is predicted from the others.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "bench/prediction/class_factors.h"
#include "bench/prediction/section.h"
#include "learn/errors.h"
#include "learn/low_rank.h"
#include "predict/roofline.h"
#include "stats/quantile.h"

namespace mete::bench {
namespace {

// The work of each network. Whole networks: published numbers (VGG-16,
// ResNet-152, DenseNet-121, MobileNetV2; EfficientNet-Lite4 scaled from 380 to
// 224 pixels; AlexNet with its two groups; GoogLeNet with 5x5 kernels).
//
// Parts are estimates. Chains and inception networks are cut where a single
// tensor passes and at least ten nodes lie between: AlexNet after the fourth
// convolution, GoogLeNet before the third and the fourth pooling.
//
// DeepLabV3+ over Xception-65, and the size of its picture, follow from the
// counts of its parts: 143 convolutions with 100,632 filters are the backbone,
// the pyramid and the first depthwise convolution of the decoder, whose 304
// channels in the part's 23,347,328 bytes are 120 x 160 points, a quarter of
// 480 x 640. The backbone's output stride is not documented; 16 is the
// implementation's default.
struct NetworkFacts {
  const char* name;
  double gmacs;
  double activations_m;  // elements that convolutions write
  double parameters_m;
  double convolutions;
};
constexpr NetworkFacts kNetworks[] = {
    {"alexnet", 0.724, 0.65, 60.97, 5},
    {"alexnet_part1", 0.591, 0.61, 1.9, 4},
    {"alexnet_part2", 0.133, 0.04, 59.1, 1},
    {"deeplab", 66.3, 241.9, 41.4, 149},
    {"deeplab_part1", 57.2, 202.5, 40.9, 143},
    {"deeplab_part2", 9.12, 39.4, 0.477, 6},
    {"densenet", 2.87, 6.9, 8.15, 120},
    {"efficientnet", 1.40, 15.87, 12.97, 56},
    {"googlenet", 1.58, 3.22, 7.0, 57},
    {"googlenet_part1", 0.92, 2.4, 0.62, 15},
    {"googlenet_part2", 0.53, 0.72, 2.7, 30},
    {"googlenet_part3", 0.13, 0.11, 3.4, 12},
    {"mobilenet", 0.31, 6.68, 3.54, 53},
    {"resnet", 11.56, 22.56, 60.4, 152},
    {"vgg", 15.47, 13.56, 138.4, 13},
};

const NetworkFacts* FindFacts(const std::string& name) {
  for (const NetworkFacts& facts : kNetworks) {
    if (facts.name == name) return &facts;
  }
  return nullptr;
}

struct BoardRow {
  const NetworkFacts* network = nullptr;
  std::string device;
  double load = 0;
  double seconds = 0;
};

std::string FamilyFor(const BoardRow& row) {
  std::string name = row.network->name;
  return name.substr(0, name.find('_'));
}

// A network always gets some share of the CPUs.
double ComputeSlowdown(const BoardRow& row) {
  return 1 / (1 - std::clamp(row.load, 0.0, 0.95));
}

// Seconds at round rates: 5 G MACs, 1 GB of activations and 1 GB of weights a
// second, 50 us for each convolution. The real rates are learnt.
RooflineTerms ComputeTerms(const NetworkFacts& network) {
  RooflineTerms terms{};
  terms[0] = network.gmacs / 5;
  terms[1] = network.activations_m * 4e-3;
  terms[2] = network.parameters_m * 4e-3;
  terms[kOverheadTerm] = network.convolutions * 50e-6;
  return terms;
}

std::vector<double> LogFacts(const NetworkFacts& network) {
  return {std::log(network.gmacs), std::log(network.activations_m),
          std::log(network.parameters_m), std::log(network.convolutions)};
}

// Log seconds of a row.
using Answer = std::function<double(const BoardRow&)>;
using Fit = std::function<Result<Answer>(const std::vector<BoardRow>&)>;

// How terms and load affect one board.
struct Board {
  RooflineTerms factors;
  Roofline roofline;

  double Seconds(const BoardRow& row) const {
    RooflineTerms terms = ComputeTerms(*row.network);
    for (size_t i = 0; i < kRooflineTerms; ++i) terms[i] *= factors[i];
    return roofline.Seconds(terms, ComputeSlowdown(row));
  }
};

Board FitBoard(const std::vector<const BoardRow*>& rows) {
  std::vector<LoadRow> loads;
  for (const BoardRow* row : rows) {
    loads.push_back({.slowdown = ComputeSlowdown(*row),
                     .seconds = row->seconds,
                     .pair = row->network->name});
  }
  Board board;
  board.roofline.load_exponent = LoadExponent(loads);
  std::vector<FactorRow> idle;
  for (const BoardRow* row : rows) {
    double slowdown =
        std::pow(ComputeSlowdown(*row), board.roofline.load_exponent);
    idle.push_back({.terms = ComputeTerms(*row->network),
                    .idle_seconds = row->seconds / slowdown});
  }
  board.factors = FitFactors(idle);
  return board;
}

Result<Answer> FitAdditive(const std::vector<BoardRow>& rows) {
  std::map<std::string, std::vector<const BoardRow*>> by_device;
  for (const BoardRow& row : rows) by_device[row.device].push_back(&row);
  std::map<std::string, Board> boards;
  for (const auto& [device, of_device] : by_device) {
    boards[device] = FitBoard(of_device);
  }
  return Answer([boards](const BoardRow& row) {
    return std::log(boards.at(row.device).Seconds(row));
  });
}

std::map<std::string, std::vector<double>> StandardisedFacts() {
  Points rows;
  for (const NetworkFacts& network : kNetworks) {
    rows.push_back(LogFacts(network));
  }
  rows = Standardised(rows);
  std::map<std::string, std::vector<double>> facts;
  for (size_t i = 0; i < rows.size(); ++i) facts[kNetworks[i].name] = rows[i];
  return facts;
}

// Corrects the sum with residuals of similar networks: one residual per
// network, the median over its rows.
Result<Answer> FitCorrected(const std::vector<BoardRow>& rows) {
  ASSIGN_OR_RETURN(Answer additive, FitAdditive(rows));
  std::map<std::string, std::vector<double>> residuals;
  for (const BoardRow& row : rows) {
    residuals[row.network->name].push_back(std::log(row.seconds) -
                                           additive(row));
  }
  auto facts = StandardisedFacts();
  Points points;
  std::vector<double> values;
  for (const auto& [network, of_network] : residuals) {
    points.push_back(facts[network]);
    values.push_back(*Quantile(of_network, 0.5));
  }
  ASSIGN_OR_RETURN(GaussianProcess process,
                   GaussianProcess::Fit(points, values,
                                        {.rbf_variance = 0.3,
                                         .length = 1,
                                         .linear_variance = 0,
                                         .constant = 0.05,
                                         .noise = 0.15}));
  auto shared = std::make_shared<GaussianProcess>(std::move(process));
  return Answer([additive, facts, shared](const BoardRow& row) {
    return additive(row) + shared->Predict(facts.at(row.network->name)).mean;
  });
}

// Inputs of a plain Gaussian process: logs of the facts, load and device.
std::vector<double> PlainRow(const BoardRow& row) {
  static const auto facts = StandardisedFacts();
  std::vector<double> features = facts.at(row.network->name);
  features.push_back(std::log(ComputeSlowdown(row)));
  features.push_back(row.device == "jetson_nano" ? 1 : 0);
  return features;
}

// Learns from every eighth row, since the cost grows with the cube.
Fit FitPlain(Kernel kernel) {
  return [kernel](const std::vector<BoardRow>& rows) -> Result<Answer> {
    Points points;
    std::vector<double> values;
    for (size_t i = 0; i < rows.size(); i += 8) {
      points.push_back(PlainRow(rows[i]));
      values.push_back(std::log(rows[i].seconds));
    }
    ASSIGN_OR_RETURN(GaussianProcess process,
                     GaussianProcess::Fit(points, values, kernel));
    auto shared = std::make_shared<GaussianProcess>(std::move(process));
    return Answer([shared](const BoardRow& row) {
      return shared->Predict(PlainRow(row)).mean;
    });
  };
}

// Predicts every row from the rows outside its group.
Result<double> WithinFactor2(
    const std::vector<BoardRow>& rows, const Fit& fit,
    const std::function<std::string(const BoardRow&)>& group) {
  std::set<std::string> groups;
  for (const BoardRow& row : rows) groups.insert(group(row));
  std::vector<double> truth;
  std::vector<double> predicted;
  for (const std::string& left_out : groups) {
    std::vector<BoardRow> others;
    for (const BoardRow& row : rows) {
      if (group(row) != left_out) others.push_back(row);
    }
    ASSIGN_OR_RETURN(Answer answer, fit(others));
    for (const BoardRow& row : rows) {
      if (group(row) != left_out) continue;
      truth.push_back(row.seconds);
      predicted.push_back(std::exp(answer(row)));
    }
  }
  return SummariseErrors(truth, predicted).within_factor_2;
}

Result<std::vector<BoardRow>> ParseRows(const std::vector<CsvRecord>& records) {
  const CsvRecord& heading = records[0];
  std::vector<BoardRow> rows;
  for (size_t i = 1; i < records.size(); ++i) {
    const std::vector<std::string>& cells = records[i].cells;
    const NetworkFacts* network =
        FindFacts(cells[FindColumn(heading, "model")]);
    if (network == nullptr) {
      return Corrupt(fmt::format("line {}: unknown network", records[i].line));
    }
    rows.push_back(
        {.network = network,
         .device = cells[FindColumn(heading, "device")],
         .load =
             ParseNumber(cells[FindColumn(heading, "effective_load_percent")]) /
             100,
         .seconds =
             ParseNumber(cells[FindColumn(heading, "execution_time_s")])});
  }
  return rows;
}

}  // namespace

Result<Section> EdgeBoards(const std::filesystem::path& data) {
  ASSIGN_OR_RETURN(std::vector<CsvRecord> records,
                   ReadTable(data / "latency/edge_boards_load_vs_time.csv"));
  ASSIGN_OR_RETURN(std::vector<BoardRow> rows, ParseRows(records));
  Kernel plain{.rbf_variance = 1, .linear_variance = 1, .noise = 0.05};
  Kernel line{.rbf_variance = 0, .linear_variance = 4, .noise = 0.05};
  const std::pair<const char*, Fit> rivals[] = {
      {"mete: sum of work, corrected by a GP", FitCorrected},
      {"sum of work alone", FitAdditive},
      {"plain GP", FitPlain(plain)},
      {"ridge", FitPlain(line)}};
  Section section{.name = "Edge boards under load"};
  for (const auto& [name, fit] : rivals) {
    ASSIGN_OR_RETURN(double share,
                     WithinFactor2(rows, fit, [](const auto& row) {
                       return std::string(row.network->name);
                     }));
    section.lines.push_back({.protocol = "one of 15 networks out",
                             .predictor = name,
                             .metric = "within factor 2",
                             .value = share,
                             .shares = true});
  }
  section.lines[0].target = 0.8;
  for (const auto& [name, fit] : rivals) {
    ASSIGN_OR_RETURN(double share, WithinFactor2(rows, fit, FamilyFor));
    section.lines.push_back({.protocol = "network and its parts out",
                             .predictor = name,
                             .metric = "within factor 2",
                             .value = share,
                             .shares = true});
  }
  section.note = fmt::format(
      "{} rows of 15 networks on 2 boards. The work of parts of networks is "
      "estimated, see bench/prediction/edge_boards.cc.",
      rows.size());
  return section;
}

}  // namespace mete::bench
