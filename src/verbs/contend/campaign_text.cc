#include "contend/campaign_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "contend/summarize_mix.h"
#include "domain/service_json.h"
#include "support/file.h"
#include "support/json.h"
#include "support/text.h"

namespace mete {
namespace {

// Starting, warming up, flushing, draining and fetching, beside the window and
// the settling time. Measured with small applications on two cores.
constexpr Seconds kOverhead{1.5};

std::string DurationText(Seconds time) {
  auto seconds = static_cast<long>(std::lround(time.count()));
  if (seconds < 60) return fmt::format("{} s", seconds);
  if (seconds < 3600) return fmt::format("{} min", (seconds + 30) / 60);
  return fmt::format("{} h {:02} min", seconds / 3600, seconds % 3600 / 60);
}

Table MixTable(const std::vector<Mix>& mixes) {
  Table table({{"mix"}, {"tenants"}});
  for (const Mix& mix : mixes)
    table.AddRow({mix.id, DescribeTenants(mix.tenants)});
  return table;
}

Seconds TimeLeft(const CampaignOutline& outline) {
  return outline.each * static_cast<double>(outline.count - outline.measured);
}

// What was seen of one application.
struct Seen {
  size_t rows = 0;
  size_t saturated = 0;
  std::optional<double> fastest;  // of the p50 of service times
  std::optional<double> slowest;  // of rows that are not saturated
};

std::map<std::string, Seen> SeenApplications(
    const std::vector<MixObservation>& rows) {
  std::map<std::string, Seen> seen;
  for (const MixObservation& row : rows) {
    Seen& own = seen[row.tenant.application];
    ++own.rows;
    own.saturated += row.saturated ? 1 : 0;
    if (!row.service.p50) continue;
    own.fastest =
        std::min(own.fastest.value_or(*row.service.p50), *row.service.p50);
    if (row.saturated) continue;
    own.slowest = std::max(own.slowest.value_or(0), *row.service.p50);
  }
  return seen;
}

std::string TimeOrDash(const std::optional<double>& seconds) {
  return seconds ? FormatSeconds(*seconds) : "-";
}

Table SeenTable(const std::vector<MixObservation>& rows) {
  Table table({{"application"},
               {"mixes", Align::kRight},
               {"saturated", Align::kRight},
               {"median, fastest mix", Align::kRight},
               {"slowest", Align::kRight},
               {"slowdown", Align::kRight}});
  for (const auto& [name, own] : SeenApplications(rows)) {
    std::string slowdown = "-";
    if (own.fastest && own.slowest && *own.fastest > 0) {
      slowdown = fmt::format("{:.2f}x", *own.slowest / *own.fastest);
    }
    table.AddRow({name, std::to_string(own.rows), std::to_string(own.saturated),
                  TimeOrDash(own.fastest), TimeOrDash(own.slowest), slowdown});
  }
  return table;
}

}  // namespace

Result<CampaignOutline> OutlineCampaign(const ContendRequest& request,
                                        double cores) {
  CampaignRequest plan = request.plan;
  plan.cores = cores;
  CampaignOutline outline{
      .kind = plan.kind,
      .count = CountMixes(plan),
      .each = request.timing.settle + request.timing.window + kOverhead};
  if (request.at_most)
    outline.count = std::min(outline.count, *request.at_most);
  KnownApplications known;
  std::vector<FinishedMix> finished;
  std::error_code ignored;
  if (std::filesystem::exists(request.folder, ignored)) {
    CampaignFolder folder = CampaignFolder::ToRead(request.folder);
    ASSIGN_OR_RETURN(known, folder.ReadApplications());
    ASSIGN_OR_RETURN(finished, folder.ReadMixes());
  }
  for (const FinishedMix& mix : finished) {
    outline.measured += mix.mix.kind == plan.kind ? 1 : 0;
  }
  outline.measured = std::min(outline.measured, outline.count);
  bool all_known = std::ranges::all_of(
      plan.applications,
      [&](const std::string& name) { return known.contains(name); });
  if (!all_known || plan.kind == MixKind::kActive) return outline;
  ASSIGN_OR_RETURN(outline.mixes, OrderedPlan(plan, request.at_most, known));
  outline.count = outline.mixes.size();
  return outline;
}

std::string OutlineText(const CampaignOutline& outline) {
  std::string text =
      outline.mixes.empty() ? "" : MixTable(outline.mixes).Text() + "\n";
  text += fmt::format("{} {}, ", outline.count,
                      outline.count == 1 ? "mix" : "mixes");
  if (outline.measured > 0) {
    text += fmt::format("{} of them measured before, ", outline.measured);
  }
  text += "about " + DurationText(TimeLeft(outline)) + "\n";
  if (outline.mixes.empty() && outline.kind != MixKind::kActive) {
    text += Wrapped(
        "The mixes depend on the service times of the applications, which are "
        "measured first.");
  }
  return text;
}

Json OutlineJson(const CampaignOutline& outline) {
  Json json;
  json["kind"] = MixKindName(outline.kind);
  json["mixes_planned"] = outline.count;
  json["mixes_measured"] = outline.measured;
  json["seconds_left"] = TimeLeft(outline).count();
  json["mixes"] = Json::array();
  for (const Mix& mix : outline.mixes) json["mixes"].push_back(MixToJson(mix));
  return json;
}

std::string OutlineCsv(const CampaignOutline& outline) {
  return MixTable(outline.mixes).Csv();
}

std::string CampaignText(const ContendSummary& summary) {
  std::string text = SeenTable(summary.rows).Text() + "\n";
  text += Wrapped(fmt::format(
      "{} planned, {} measured before, {} now, {} saturated, {} failed; files "
      "in {}",
      Counted(summary.planned, "mix", "mixes"), summary.found, summary.measured,
      summary.saturated, summary.failed, summary.folder.string()));
  return text;
}

Json CampaignJson(const ContendSummary& summary) {
  Json json;
  json["folder"] = summary.folder.string();
  json["planned"] = summary.planned;
  json["found"] = summary.found;
  json["measured"] = summary.measured;
  json["saturated"] = summary.saturated;
  json["failed"] = summary.failed;
  json["interrupted"] = summary.interrupted;
  json["applications"] = Json::array();
  for (const auto& [name, own] : SeenApplications(summary.rows)) {
    Json item;
    item["application"] = name;
    item["mixes"] = own.rows;
    item["saturated"] = own.saturated;
    SetNumber(item, "fastest_median_seconds", own.fastest);
    SetNumber(item, "slowest_median_seconds", own.slowest);
    json["applications"].push_back(std::move(item));
  }
  return json;
}

std::string MixTableCsv(const std::vector<MixObservation>& rows) {
  std::string text = MixCsvHeader();
  for (const MixObservation& row : rows) text += ToCsvLine(row);
  return text;
}

}  // namespace mete
