#include "load/load_text.h"

#include <fmt/format.h>

#include "support/table.h"
#include "support/text.h"
#include "support/units.h"

namespace mete {
namespace {

std::string RateWords(double rate) { return fmt::format("{:.4g}/s", rate); }

std::string TimeOr(const std::optional<Seconds>& time, const char* absent) {
  return time ? FormatSeconds(*time) : absent;
}

// "1.20 ms to 1.30 ms"; an end that cannot be known is left open.
std::string SpanCell(const TimeQuantile& quantile) {
  if (quantile.low && quantile.high) {
    return FormatSeconds(*quantile.low) + " to " +
           FormatSeconds(*quantile.high);
  }
  if (quantile.low) return "over " + FormatSeconds(*quantile.low);
  return quantile.high ? "at most " + FormatSeconds(*quantile.high) : "-";
}

// Rows of quantiles; the service time stands beside the sojourn time.
Table QuantileTable(const LoadSummary& summary) {
  std::vector<Table::Column> columns = {
      {""}, {"sojourn", Align::kRight}, {"95 % interval", Align::kRight}};
  const TimeSummary* service = summary.service ? &*summary.service : nullptr;
  if (service != nullptr) {
    columns.push_back({"service", Align::kRight});
    columns.push_back({"95 % interval", Align::kRight});
  }
  Table table(std::move(columns));
  auto add = [&](std::vector<std::string> cells,
                 std::vector<std::string> more) {
    if (service != nullptr) cells.insert(cells.end(), more.begin(), more.end());
    table.AddRow(std::move(cells));
  };
  // A quantile among requests without an answer has no value.
  constexpr const char* kBeyond = "no answer";
  add({"mean", TimeOr(summary.sojourn.mean, "-"), ""},
      {service != nullptr ? TimeOr(service->mean, "-") : "", ""});
  for (size_t i = 0; i < summary.sojourn.quantiles.size(); ++i) {
    const TimeQuantile& sojourn = summary.sojourn.quantiles[i];
    std::vector<std::string> more;
    if (service != nullptr) {
      const TimeQuantile& time = service->quantiles[i];
      more = {TimeOr(time.value, "-"), SpanCell(time)};
    }
    add({QuantileName(sojourn.p), TimeOr(sojourn.value, kBeyond),
         SpanCell(sojourn)},
        more);
  }
  add({"max", TimeOr(summary.sojourn.max, kBeyond), ""},
      {service != nullptr ? TimeOr(service->max, "-") : "", ""});
  return table;
}

std::string CountsLine(const LoadSummary& summary) {
  const LoadCounts& counts = summary.counts;
  return fmt::format("{} sent, {} answered, {} failed, {} unanswered",
                     FormatCount(counts.sent), FormatCount(counts.answered),
                     FormatCount(counts.failed),
                     FormatCount(counts.unanswered));
}

std::string RatesLine(const LoadSummary& summary) {
  std::string text = fmt::format(
      "offered {}, answered {} within {}", RateWords(summary.offered_rate),
      RateWords(summary.achieved_rate), FormatSeconds(summary.window));
  if (summary.scheduling) {
    text += fmt::format("; sent late by {} (p50), {} (p99), {} (max)",
                        FormatSeconds(summary.scheduling->p50),
                        FormatSeconds(summary.scheduling->p99),
                        FormatSeconds(summary.scheduling->max));
  }
  return text;
}

std::string CheckText(const ObjectiveCheck& check,
                      const RateObjective& objective) {
  std::string text(ToString(check.verdict));
  if (check.value) {
    text += fmt::format(", {} {}", QuantileName(objective.p),
                        FormatSeconds(*check.value));
  }
  if (check.low && check.high) {
    text += fmt::format(" ({} to {})", FormatSeconds(*check.low),
                        FormatSeconds(*check.high));
  } else if (check.high) {
    text += fmt::format(" (at most {})", FormatSeconds(*check.high));
  } else if (check.low) {
    text += fmt::format(" (at least {})", FormatSeconds(*check.low));
  }
  return text;
}

std::string TargetText(const LoadSummary& summary) {
  std::string text =
      Wrapped(fmt::format("{}: {}", summary.name, summary.arrivals));
  text += Wrapped(CountsLine(summary));
  text += Wrapped(RatesLine(summary));
  if (summary.saturation.saturated()) {
    text += Wrapped("saturated: " + summary.saturation.explanation);
  }
  if (summary.sojourn.count > 0) {
    text += "\n" + QuantileTable(summary).Text() + "\n";
  }
  for (const std::string& note : summary.notes) {
    text += Wrapped("note: " + note);
  }
  return text;
}

std::string FoundLine(const RateAnswer& answer) {
  const FoundRate& found = answer.found;
  const std::string& objective = answer.objective.text;
  if (found.kept && found.violated) {
    return fmt::format("highest rate with {}: {} ({} to {}, 95 %)", objective,
                       RateWords(*found.kept), RateWords(*found.kept),
                       RateWords(*found.violated));
  }
  if (found.kept) {
    return fmt::format("{} is kept at {} and perhaps beyond", objective,
                       RateWords(*found.kept));
  }
  if (found.violated) {
    return fmt::format(
        "{} is not kept at any rate that was tried; it is "
        "violated at {}",
        objective, RateWords(*found.violated));
  }
  return fmt::format("cannot tell at which rate {} is kept", objective);
}

std::string WhyEnded(const RateAnswer& answer) {
  switch (answer.found.end) {
    case SearchEnd::kGenerator:
      return "mete cannot send faster on this machine";
    case SearchEnd::kOutOfWindows:
      return "ended after the largest number of windows";
    case SearchEnd::kTooFew:
      return "too few requests to judge; use a longer --duration or a higher "
             "--rate";
    case SearchEnd::kInterrupted:
      return "interrupted";
    case SearchEnd::kFound:
    case SearchEnd::kNeverKept:
      break;
  }
  return "";
}

}  // namespace

std::string LoadText(const LoadAnswer& answer) {
  std::string text;
  for (size_t i = 0; i < answer.targets.size(); ++i) {
    if (i > 0) text += "\n";
    text += TargetText(answer.targets[i]);
    if (answer.objective) {
      text +=
          Wrapped(fmt::format("objective {}: {}", answer.objective->text,
                              CheckText(answer.checks[i], *answer.objective)));
    }
  }
  return text;
}

std::string TrialText(const RateTrial& trial, const RateObjective& objective) {
  return fmt::format("{}: {}", RateWords(trial.rate),
                     CheckText(trial.check, objective));
}

std::string RateText(const RateAnswer& answer) {
  std::string text = Wrapped(answer.name + ": " + FoundLine(answer));
  std::string why = WhyEnded(answer);
  if (!why.empty()) text += Wrapped("note: " + why);
  Table table({{"rate", Align::kRight},
               {"objective"},
               {QuantileName(answer.objective.p), Align::kRight},
               {"interval", Align::kRight},
               {"requests", Align::kRight},
               {"windows", Align::kRight}});
  for (const RateTrial& trial : answer.found.trials) {
    const ObjectiveCheck& check = trial.check;
    table.AddRow({RateWords(trial.rate), std::string(ToString(check.verdict)),
                  TimeOr(check.value, "-"),
                  SpanCell({.low = check.low, .high = check.high}),
                  FormatCount(check.requests), FormatCount(trial.windows)});
  }
  return text + "\n" + table.Text();
}

}  // namespace mete
