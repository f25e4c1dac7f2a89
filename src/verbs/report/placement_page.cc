#include "report/placement_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "place/plan_text.h"
#include "report/html.h"
#include "report/page_files.h"
#include "support/clock.h"
#include "support/units.h"

namespace mete {
namespace {

const AppDemand* FindDemand(const PlacementPlan& plan,
                            const std::string& name) {
  auto found = std::ranges::find(plan.problem.apps, name, &AppDemand::name);
  return found == plan.problem.apps.end() ? nullptr : &*found;
}

// A horizontal bar with its value; more than 100 % does not overflow.
std::string ShareBar(double share, const std::string& text) {
  return fmt::format(
      "<span class=\"bar\" style=\"width:{:.1f}%;background:var(--curve-{})\">"
      "</span> {}",
      60 * std::clamp(share, 0.0, 1.0), share > 1 ? 1 : 0, EscapedProse(text));
}

std::string LatencyCell(const PlacedInstances& placed, const AppDemand& app) {
  if (!placed.latency) return "";
  if (placed.saturated) {
    return EscapedProse("saturated: at least " +
                        FormatSeconds(*placed.latency));
  }
  const Seconds high = placed.latency_high.value_or(*placed.latency);
  if (!app.slo) return EscapedProse(FormatSeconds(*placed.latency));
  return ShareBar(
      high / app.slo->limit,
      fmt::format("{} of {} {}", FormatSeconds(high),
                  FormatSeconds(app.slo->limit), ToString(app.slo->statistic)));
}

std::string ServerHtml(const PlacementPlan& plan, const PlannedServer& server) {
  auto type =
      std::ranges::find(plan.problem.servers, server.type, &ServerType::name);
  double used = 0;
  std::string rows;
  for (const PlacedInstances& placed : server.apps) {
    const AppDemand* app = FindDemand(plan, placed.app);
    if (app == nullptr) continue;
    used += double(app->memory.count) * placed.instances;
    rows += fmt::format(
        "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
        Escaped(app->name), Escaped(app->application), placed.instances,
        EscapedProse(
            FormatByteCount(double(app->memory.count) * placed.instances)),
        LatencyCell(placed, *app));
  }
  std::string html =
      fmt::format("<section>\n<h2>{}</h2>\n", Escaped(server.name));
  if (type != plan.problem.servers.end()) {
    const double memory = double(type->memory.count);
    html += fmt::format(
        "<table class=\"bars\"><tr><td>memory</td><td>{}</td></tr></table>\n",
        ShareBar(used / memory, fmt::format("{} of {}", FormatByteCount(used),
                                            FormatByteCount(memory))));
  }
  return html +
         "<div class=\"wide\"><table>\n<tr><th>app</th><th>application</th>"
         "<th>instances</th><th>memory</th><th>predicted latency</th></tr>\n" +
         rows + "</table></div>\n</section>\n";
}

std::string RejectedHtml(const PlacementPlan& plan) {
  if (plan.rejected.empty()) return "";
  std::string html = fmt::format(
      "<section>\n<h2>Rejected: {}</h2>\n<div class=\"wide\"><table>\n"
      "<tr><th>app</th><th>price</th><th>constraint</th><th>nearest</th>"
      "<th>why</th><th>would fit with</th></tr>\n",
      Counted(plan.rejected.size(), "app"));
  for (const Rejection& one : plan.rejected) {
    const AppDemand* app = FindDemand(plan, one.app);
    html += fmt::format(
        "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
        "<td>{}</td></tr>\n",
        Escaped(one.app), app == nullptr ? "" : fmt::format("{:g}", app->price),
        Escaped(one.constraint), Escaped(one.nearest), EscapedProse(one.reason),
        EscapedProse(one.remedy));
  }
  return html + "</table></div>\n</section>\n";
}

std::string CostsHtml(const PlacementPlan& plan) {
  std::string html = "<section>\n<h2>Predicted with</h2>\n<ul>\n";
  for (size_t i = 0; i < plan.costs.size(); ++i) {
    const std::string name =
        i < plan.problem.servers.size() ? plan.problem.servers[i].name : "";
    html += fmt::format("<li>{}: {}</li>\n", Escaped(name),
                        EscapedProse(plan.costs[i]));
  }
  return html + "</ul>\n</section>\n";
}

}  // namespace

std::string PlacementPage(const PlacementPlan& plan) {
  std::string html = PageHead("Placement plan", {kPageStyle});
  html += "<body>\n<header>\n<h1>Placement plan</h1>\n</header>\n<main>\n";
  html += fmt::format(
      "<section>\n<p class=\"said\">{}.</p>\n<p>{}.</p>\n<p>{}</p>\n"
      "<p class=\"quiet\">made {}</p>\n</section>\n",
      EscapedProse(PlanHeadline(plan)), EscapedProse(PlanProof(plan)),
      EscapedProse(VerificationText(plan.verification)),
      FormatUtc(plan.made_at));
  html += RejectedHtml(plan);
  for (const PlannedServer& server : plan.servers) {
    html += ServerHtml(plan, server);
  }
  html += CostsHtml(plan);
  return html + "</main>\n<footer>mete " + Escaped(plan.mete_version) +
         "</footer>\n</body>\n</html>\n";
}

}  // namespace mete
