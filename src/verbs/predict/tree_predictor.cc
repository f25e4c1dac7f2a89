#include "predict/tree_predictor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "predict/feature_text.h"
#include "support/base64.h"
#include "support/clock.h"
#include "support/json.h"
#include "support/units.h"

namespace mete {
namespace {

constexpr std::string_view kFormat = "mete predictor";
// An assumed speed is right to about this factor.
const double kAssumedRadius = std::log(3.0);
// A column counts as inside its range when it exceeds it by less than this
// share of the range.
constexpr double kSlack = 0.02;
// Far outside the training range the trees' answers are constant, so the
// interval stops widening.
constexpr double kMostWidening = 2;
constexpr size_t kReportedColumns = 2;

std::string_view ToString(FeatureKind kind) {
  return kind == FeatureKind::kFull ? "full" : "counts";
}
std::string_view ToString(Quantity quantity) {
  return quantity == Quantity::kSeconds ? "seconds" : "joules";
}

std::string DescribeOrigin(const Provenance& from) {
  return fmt::format(
      "{}{} on {}, {}, {}", from.bundled ? "starter: " : "",
      Counted(from.networks, "network"), Counted(from.devices.size(), "device"),
      Counted(from.rows, "run"), FormatUtc(from.trained_at).substr(0, 10));
}

// Whether a property of a network is worth a warning: more than twice the
// largest or less than half the smallest of the training. All are logarithms to
// base 2. Known networks that were not part of the training exceed it by less.
bool IsFar(float value, const ColumnRange& range) {
  constexpr float kFar = 1;
  return std::isnan(value) || value > range.high + kFar ||
         value < range.low - kFar;
}

// " (training range 47 % to 96 %)"
std::string DescribeRange(const FeatureColumn& column,
                          const ColumnRange& range) {
  std::string low = FeatureValue(column, range.low);
  std::string high = FeatureValue(column, range.high);
  if (low == high) return " (training had only " + low + ")";
  return " (training range " + low + " to " + high + ")";
}

Json ColumnsToJson(FeatureKind kind, const std::vector<ColumnRange>& ranges) {
  Json json = Json::array();
  const auto& columns = FeatureColumns(kind);
  for (size_t i = 0; i < columns.size(); ++i) {
    Json column;
    column["name"] = columns[i].name;
    column["unit"] = columns[i].unit;
    column["low"] = ranges[i].low;
    column["high"] = ranges[i].high;
    json.push_back(std::move(column));
  }
  return json;
}

// The file's columns must match ours by name. Values in the wrong columns would
// produce meaningless predictions.
Result<std::vector<ColumnRange>> ReadColumns(FeatureKind kind,
                                             const Json& json) {
  const auto& columns = FeatureColumns(kind);
  if (json.size() != columns.size()) {
    return Unsupported(fmt::format(
        "this predictor has {} columns, this mete has {}; train it again",
        json.size(), columns.size()));
  }
  std::vector<ColumnRange> ranges;
  for (size_t i = 0; i < columns.size(); ++i) {
    auto name = json[i].at("name").get<std::string>();
    auto unit = json[i].at("unit").get<std::string>();
    if (name != columns[i].name || unit != columns[i].unit) {
      return Unsupported(fmt::format(
          "column {} of this predictor is '{}' in {}, this mete has '{}' in "
          "{}; train it again",
          i + 1, name, unit, columns[i].name, columns[i].unit));
    }
    ranges.push_back(
        {json[i].at("low").get<float>(), json[i].at("high").get<float>()});
  }
  return ranges;
}

Json ProvenanceToJson(const Provenance& from) {
  Json json;
  json["rows"] = from.rows;
  json["networks"] = from.networks;
  json["devices"] = from.devices;
  json["engines"] = from.engines;
  json["table_sha256"] = from.table_sha256;
  json["seed"] = from.seed;
  json["mete_version"] = from.mete_version;
  json["trained_at"] = FormatUtc(from.trained_at);
  return json;
}

Result<Provenance> ReadProvenance(const Json& json) {
  Provenance from;
  from.rows = json.at("rows").get<size_t>();
  from.networks = json.at("networks").get<size_t>();
  from.devices = json.at("devices").get<std::vector<std::string>>();
  from.engines = json.at("engines").get<std::vector<std::string>>();
  from.table_sha256 = json.at("table_sha256").get<std::string>();
  from.seed = GetOptional<uint64_t>(json, "seed").value_or(0);
  from.mete_version = json.at("mete_version").get<std::string>();
  ASSIGN_OR_RETURN(from.trained_at,
                   ParseUtc(json.at("trained_at").get<std::string>()));
  return from;
}

template <typename Enum>
Result<Enum> ReadName(const Json& json, const char* key,
                      std::initializer_list<Enum> values) {
  auto name = json.at(key).get<std::string>();
  for (Enum value : values) {
    if (ToString(value) == name) return value;
  }
  return Unsupported(fmt::format(
      "{} '{}' is unknown; the file was written by a newer mete", key, name));
}

Result<TreePredictor> Read(const Json& json) {
  if (!json.is_object() || GetText(json, "format") != kFormat) {
    return Corrupt("not a predictor file");
  }
  int version = json.at("version").get<int>();
  if (version != TreePredictor::kVersion) {
    return Unsupported(
        fmt::format("the predictor file has version {}, this mete reads "
                    "version {}; train it again",
                    version, TreePredictor::kVersion));
  }
  TreePredictor::Parts parts;
  ASSIGN_OR_RETURN(
      parts.kind,
      ReadName(json, "kind", {FeatureKind::kFull, FeatureKind::kCounts}));
  ASSIGN_OR_RETURN(
      parts.quantity,
      ReadName(json, "quantity", {Quantity::kSeconds, Quantity::kJoules}));
  ASSIGN_OR_RETURN(parts.ranges, ReadColumns(parts.kind, json.at("columns")));
  parts.roofline.load_exponent = json.at("load_exponent").get<double>();
  parts.radius = json.at("radius_log").get<double>();
  parts.ratio_radius = GetOptional<double>(json, "ratio_radius_log");
  ASSIGN_OR_RETURN(parts.provenance, ReadProvenance(json.at("training")));
  parts.errors = json.at("errors");
  std::optional<std::string> bytes =
      DecodeBase64(json.at("trees").get<std::string>());
  if (!bytes) return Corrupt("trees are not valid base64");
  ASSIGN_OR_RETURN(parts.trees, FlatTrees::Unpack(*bytes, parts.ranges.size()));
  return TreePredictor(std::move(parts));
}

}  // namespace

double LogBase(FeatureKind kind, const Roofline& roofline,
               const NetworkQuestion& question,
               const DeviceConditions& conditions) {
  double slowdown = Slowdown(conditions);
  if (kind == FeatureKind::kFull && question.traits) {
    return std::log(roofline.Seconds(
        ComputeTerms(*question.traits, conditions.speed), slowdown));
  }
  return roofline.load_exponent * std::log(slowdown) -
         std::log(std::max(1.0, conditions.speed.gemm_flops_per_second));
}

TreePredictor::TreePredictor(Parts parts)
    : parts_(std::move(parts)), origin_(DescribeOrigin(parts_.provenance)) {
  if (parts_.trees.trees() == 0) origin_ = "roofline, " + origin_;
}

Result<TreePredictor> TreePredictor::FromJson(const Json& json) {
  return ReadJson("predictor", [&] { return Read(json); });
}

Json TreePredictor::ToJson() const {
  Json json;
  json["format"] = kFormat;
  json["version"] = kVersion;
  json["kind"] = ToString(parts_.kind);
  json["quantity"] = ToString(parts_.quantity);
  json["training"] = ProvenanceToJson(parts_.provenance);
  json["errors"] = parts_.errors;
  json["radius_log"] = parts_.radius;
  SetNumber(json, "ratio_radius_log", parts_.ratio_radius);
  json["load_exponent"] = parts_.roofline.load_exponent;
  json["columns"] = ColumnsToJson(parts_.kind, parts_.ranges);
  json["trees"] = EncodeBase64(parts_.trees.Pack());
  return json;
}

// In multiples of the column's range. 0: inside.
double TreePredictor::Excess(size_t column, float value) const {
  if (std::isnan(value)) return 1;
  if (value == 0 && FeatureColumns(parts_.kind)[column].zero_is_none) return 0;
  const ColumnRange& range = parts_.ranges[column];
  double outside = std::max(range.low - value, value - range.high);
  double span = std::max(0.5f, range.high - range.low);
  return outside <= kSlack * span ? 0 : outside / span;
}

// Describes the columns that are farthest outside.
std::vector<std::string> TreePredictor::DescribeBeyond(
    std::span<const float> row, Owner owner) const {
  std::vector<std::pair<double, size_t>> beyond;
  for (size_t i = 0; i < row.size(); ++i) {
    const bool of_device = FeatureColumns(parts_.kind)[i].of_device;
    if (of_device != (owner == Owner::kDevice)) continue;
    if (owner == Owner::kNetwork && !IsFar(row[i], parts_.ranges[i])) continue;
    double excess = Excess(i, row[i]);
    if (excess > 0) beyond.emplace_back(excess, i);
  }
  std::ranges::stable_sort(beyond, std::greater(),
                           &std::pair<double, size_t>::first);
  std::vector<std::string> reported;
  for (const auto& [excess, i] : beyond) {
    if (reported.size() == kReportedColumns) break;
    const FeatureColumn& column = FeatureColumns(parts_.kind)[i];
    const ColumnRange& range = parts_.ranges[i];
    reported.push_back(FeatureLabel(column) +
                       (std::isnan(row[i])
                            ? " is unknown"
                            : " " + FeatureValue(column, row[i]) +
                                  DescribeRange(column, range)));
  }
  if (beyond.size() > kReportedColumns) {
    reported.push_back(
        fmt::format("and {} more", beyond.size() - kReportedColumns));
  }
  return reported;
}

Estimate TreePredictor::Finish(double log_value, std::span<const float> row,
                               const DeviceConditions& conditions,
                               Detail detail) const {
  double worst = 0;
  for (size_t i = 0; i < row.size(); ++i) {
    const ColumnRange& range = parts_.ranges[i];
    bool inside = row[i] >= range.low && row[i] <= range.high;  // nearly always
    if (!inside) worst = std::max(worst, Excess(i, row[i]));
  }
  double widening = 1 + std::min(kMostWidening, worst);
  double added = conditions.assumed ? kAssumedRadius : 0;
  double radius = parts_.radius * widening + added;
  Estimate estimate{.value = std::exp(log_value),
                    .low = std::exp(log_value - radius),
                    .high = std::exp(log_value + radius)};
  if (parts_.ratio_radius) {
    estimate.ratio_radius = *parts_.ratio_radius * widening + added;
  }
  if (detail == Detail::kNumbers) return estimate;
  estimate.beyond_training = DescribeBeyond(row, Owner::kNetwork);
  estimate.device_beyond_training = DescribeBeyond(row, Owner::kDevice);
  return estimate;
}

Estimate TreePredictor::Predict(const NetworkQuestion& question,
                                const DeviceConditions& conditions) const {
  std::vector<float> row = FeatureRow(parts_.kind, question, conditions);
  double log_value =
      LogBase(parts_.kind, parts_.roofline, question, conditions) +
      parts_.trees.Predict(row);
  return Finish(log_value, row, conditions, Detail::kWords);
}

std::vector<Estimate> TreePredictor::Predict(
    const NetworkQuestion& question, std::span<const ClusterNode* const> nodes,
    Detail detail) const {
  std::vector<DeviceConditions> conditions;
  std::vector<size_t> places;  // indices of the nodes that have conditions
  conditions.reserve(nodes.size());
  places.reserve(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) {
    std::optional<DeviceConditions> found = ConditionsFor(*nodes[i]);
    if (!found) continue;
    conditions.push_back(*found);
    places.push_back(i);
  }
  FeatureTable table = FeatureRows(parts_.kind, question, conditions);
  std::vector<float> corrections = parts_.trees.Predict(table);
  std::vector<Estimate> estimates(nodes.size(), NoEstimate());
  for (size_t i = 0; i < places.size(); ++i) {
    double base =
        LogBase(parts_.kind, parts_.roofline, question, conditions[i]);
    Estimate& estimate = estimates[places[i]];
    estimate =
        Finish(base + corrections[i], table.Row(i), conditions[i], detail);
    if (conditions[i].assumed && detail == Detail::kWords) {
      estimate.assumption =
          "engine speed not measured; estimated from " +
          DescribeAssumption(nodes[places[i]]->facts) +
          ". Measure it with mete devices show NAME --refresh";
    }
  }
  return estimates;
}

}  // namespace mete
