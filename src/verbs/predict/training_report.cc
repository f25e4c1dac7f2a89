#include "predict/training_report.h"

#include <fmt/format.h>

#include "support/json.h"
#include "support/table.h"
#include "support/text.h"
#include "support/units.h"

namespace mete {
namespace {

constexpr size_t kShownColumns = 8;

// "8.3 %", "850 %".
std::string Percent(double share) {
  return fmt::format("{:.{}f} %", 100 * share, share < 0.1 ? 1 : 0);
}

std::string Amount(Quantity quantity, double value) {
  return quantity == Quantity::kSeconds ? FormatSeconds(value)
                                        : fmt::format("{:.3g} J", value);
}

// Two decimals: the table of a protocol must fit 80 columns.
std::string FormatR2(double r2) {
  return fmt::format("{:.{}f}", r2, r2 > -10 ? 2 : 0);
}

std::string ProtocolText(const Trained& trained, Protocol protocol) {
  if (protocol == Protocol::kDeviceOut &&
      trained.predictor.parts().provenance.devices.size() < 2) {
    return "unseen device: needs runs on at least 2 devices\n";
  }
  Quantity quantity = trained.predictor.parts().quantity;
  Table table({{std::string(ToString(protocol))},
               {"MAE", Align::kRight},
               {"RMSE", Align::kRight},
               {"R2", Align::kRight},
               {"median", Align::kRight},
               {"<10 %", Align::kRight},
               {"<20 %", Align::kRight},
               {"covered", Align::kRight}});
  for (const Validation& one : trained.validations) {
    if (one.protocol != protocol) continue;
    if (!one.errors) {
      table.AddRow({one.predictor, "-", "-", "-", "-", "-", "-", "-"});
      continue;
    }
    const ErrorSummary& errors = *one.errors;
    table.AddRow({one.predictor, Amount(quantity, errors.mean_absolute),
                  Amount(quantity, errors.root_mean_square),
                  FormatR2(errors.r2), Percent(errors.median_relative),
                  Percent(errors.within_10), Percent(errors.within_20),
                  one.coverage ? Percent(*one.coverage) : ""});
  }
  return table.Text();
}

Json ErrorsToJson(const ErrorSummary& errors) {
  Json json;
  json["rows"] = errors.rows;
  json["mean_absolute"] = errors.mean_absolute;
  json["root_mean_square"] = errors.root_mean_square;
  json["r2"] = errors.r2;
  json["median_relative"] = errors.median_relative;
  json["within_10_percent"] = errors.within_10;
  json["within_20_percent"] = errors.within_20;
  json["within_25_percent"] = errors.within_25;
  json["within_factor_2"] = errors.within_factor_2;
  return json;
}

}  // namespace

std::string_view ToString(Protocol protocol) {
  switch (protocol) {
    case Protocol::kRandom:
      return "random folds";
    case Protocol::kNetworkOut:
      return "unseen network";
    case Protocol::kDeviceOut:
      return "unseen device";
  }
  return "";
}

std::string TrainingText(const Trained& trained) {
  const Provenance& from = trained.predictor.parts().provenance;
  std::string text =
      fmt::format("trained on {} of {} on {}\n\n", Counted(from.rows, "run"),
                  Counted(from.networks, "network"),
                  Counted(from.devices.size(), "device"));
  for (Protocol protocol :
       {Protocol::kRandom, Protocol::kNetworkOut, Protocol::kDeviceOut}) {
    text += ProtocolText(trained, protocol) + "\n";
  }
  if (trained.fastest.cases > 0) {
    text += Wrapped(fmt::format(
        "fastest device of an unseen network: right in {} of {} cases where "
        "the two best differ by more than 10 %",
        Percent(trained.fastest.share()), FormatCount(trained.fastest.cases)));
    text += '\n';
  }
  if (trained.roofline_only) {
    return text + Wrapped(
                      "On unseen networks the trees are worse than the "
                      "roofline alone, so the saved predictor is the roofline "
                      "with one factor. More networks may change this.");
  }
  Table gains({{"column"}, {"gain", Align::kRight}});
  for (size_t i = 0; i < std::min(kShownColumns, trained.importance.size());
       ++i) {
    gains.AddRow(
        {trained.importance[i].column, Percent(trained.importance[i].gain)});
  }
  return text + gains.Text();
}

Json ValidationsToJson(const std::vector<Validation>& validations) {
  Json json = Json::array();
  for (const Validation& one : validations) {
    Json entry;
    entry["predictor"] = one.predictor;
    entry["protocol"] = ToString(one.protocol);
    if (one.errors) entry["errors"] = ErrorsToJson(*one.errors);
    SetNumber(entry, "coverage", one.coverage);
    json.push_back(std::move(entry));
  }
  return json;
}

Json TrainingToJson(const Trained& trained) {
  const Provenance& from = trained.predictor.parts().provenance;
  Json json;
  json["rows"] = from.rows;
  json["networks"] = from.networks;
  json["devices"] = from.devices;
  json["table_sha256"] = from.table_sha256;
  json["radius_log"] = trained.predictor.parts().radius;
  json["validations"] = ValidationsToJson(trained.validations);
  if (trained.fastest.cases > 0) {
    json["fastest_device"] = {{"cases", trained.fastest.cases},
                              {"right", trained.fastest.right}};
  }
  json["importance"] = Json::array();
  for (const auto& one : trained.importance) {
    json["importance"].push_back({{"column", one.column}, {"gain", one.gain}});
  }
  return json;
}

std::string TrainingCsv(const Trained& trained) {
  Table table({{"predictor"},
               {"protocol"},
               {"rows"},
               {"mean_absolute"},
               {"root_mean_square"},
               {"r2"},
               {"median_relative"},
               {"within_10_percent"},
               {"within_20_percent"},
               {"within_25_percent"},
               {"coverage"}});
  auto number = [](double value) { return fmt::format("{}", value); };
  for (const Validation& one : trained.validations) {
    if (!one.errors) continue;
    const ErrorSummary& errors = *one.errors;
    table.AddRow({one.predictor, std::string(ToString(one.protocol)),
                  std::to_string(errors.rows), number(errors.mean_absolute),
                  number(errors.root_mean_square), number(errors.r2),
                  number(errors.median_relative), number(errors.within_10),
                  number(errors.within_20), number(errors.within_25),
                  one.coverage ? number(*one.coverage) : ""});
  }
  return table.Csv();
}

std::string HeldOutCsv(std::span<const LatencyRow> rows, const HeldOut& held) {
  Table table({{"network"},
               {"sha256"},
               {"device"},
               {"load_asked"},
               {"load"},
               {"measured"},
               {"predicted"}});
  auto number = [](const std::optional<double>& value) {
    return value ? fmt::format("{}", *value) : std::string();
  };
  for (size_t i = 0; i < held.rows.size(); ++i) {
    const LatencyRow& row = rows[held.rows[i]];
    table.AddRow({row.network.name, row.network.sha256, row.device,
                  number(row.load_asked), number(row.load),
                  number(held.truth[i]), number(held.predicted[i])});
  }
  return table.Csv();
}

}  // namespace mete
