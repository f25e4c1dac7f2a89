#include "place/place_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "support/clock.h"
#include "support/json.h"
#include "support/nearest.h"
#include "support/table.h"
#include "support/text.h"

namespace mete {
namespace {

constexpr size_t kLongestName = 63;

bool IsLetterOrDigit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9');
}

bool IsInnerOfName(char c) { return c == '-' || c == '_' || c == '.'; }

bool Suits(const PlaceCandidate& candidate) {
  return candidate.reachable && candidate.value &&
         candidate.fits_memory.value_or(true);
}

std::string ValueText(double value, const std::string& unit) {
  return unit == "J" ? fmt::format("{:.3g} J", value) : FormatSeconds(value);
}

std::string IntervalText(const PlaceCandidate& one, const std::string& unit) {
  if (!one.low || !one.high) return "";
  return fmt::format("{} to {}", ValueText(*one.low, unit),
                     ValueText(*one.high, unit));
}

std::string WhyNotBest(const CandidateRanking& ranking, size_t chosen) {
  if (chosen == 0) return "";
  const PlaceCandidate& best = ranking.candidates.front();
  if (!best.value || !best.fits_memory.value_or(true)) return "";
  return fmt::format(
      "{} ranks higher, but services cannot be started there from here",
      best.device);
}

// The user's choice, which needs no prediction. Of candidates that cannot be
// reached, only those that `others` has can be added.
Result<size_t> ChooseNode(const std::string& node, CandidateRanking& ranking) {
  std::vector<std::string> known;
  for (size_t i = 0; i < ranking.candidates.size(); ++i) {
    const PlaceCandidate& one = ranking.candidates[i];
    if (one.device == node && one.reachable) return i;
    if (one.reachable) known.push_back(one.device);
  }
  for (const LocalPlace& place : ranking.others) {
    known.push_back(place.device);
    if (place.device != node) continue;
    ranking.candidates.push_back({.device = node,
                                  .reachable = true,
                                  .limits = place.limits,
                                  .threads = place.threads,
                                  .notes = {"no prediction"}});
    return ranking.candidates.size() - 1;
  }
  return NotFound(fmt::format("services cannot be started on '{}'{}", node,
                              DidYouMean(node, known)));
}

// Absent for a node that the user chose and that has no prediction.
std::string ChosenText(const PlaceCandidate& chosen, const std::string& unit) {
  if (!chosen.value) return chosen.device + ": no prediction\n";
  const std::string interval = IntervalText(chosen, unit);
  return fmt::format("{}: {}{}\n", chosen.device,
                     ValueText(*chosen.value, unit),
                     interval.empty() ? "" : " (" + interval + ")");
}

Error NowhereToPlace(const CandidateRanking& ranking) {
  std::string why;
  for (const PlaceCandidate& one : ranking.candidates) {
    std::string reason;
    if (!one.value) {
      reason = one.notes.empty() ? "no prediction" : one.notes.front();
    } else if (!one.fits_memory.value_or(true)) {
      reason = "too little memory";
    } else {
      reason = "services cannot be started there from here";
    }
    why += fmt::format("{}{}: {}", why.empty() ? "" : "; ", one.device, reason);
    if (why.size() > 500) break;
  }
  std::string hint;
  for (const LocalPlace& place : ranking.others) {
    hint +=
        (hint.empty() ? "; choose a node with --node: " : ", ") + place.device;
    if (hint.size() > 500) break;
  }
  return Unsupported("no device can take the network" +
                     (why.empty() ? "" : " (" + why + ")") + hint);
}

// How the service is reached by clients of the KServe protocol.
std::string InferUrl(const HostedService& service) {
  return fmt::format("{}/v2/models/{}/infer", service.url, service.order.app);
}

Json CandidateToJson(const PlaceCandidate& one, const std::string& unit) {
  Json json{{"device", one.device},
            {"emulated", one.emulated},
            {"reachable", one.reachable}};
  const bool energy = unit == "J";
  SetNumber(json, energy ? "joules" : "seconds", one.value);
  SetNumber(json, "low", one.low);
  SetNumber(json, "high", one.high);
  if (one.fits_memory) json["fits_memory"] = *one.fits_memory;
  json["notes"] = one.notes;
  return json;
}

std::string StartText(const HostedService& service) {
  const bool known = service.started_at.time_since_epoch().count() != 0;
  return known ? FormatUtc(service.started_at) : "";
}

Json ServiceToJson(const HostedService& service) {
  Json json{{"id", service.id},
            {"app", service.order.app},
            {"device", service.order.device},
            {"launcher", service.order.launcher},
            {"instances", service.order.instances},
            {"network", service.order.network},
            {"state", ToString(service.state)}};
  if (!service.url.empty()) {
    json["url"] = service.url;
    json["infer_url"] = InferUrl(service);
  }
  SetText(json, "plan", service.order.plan);
  SetText(json, "started_at", StartText(service));
  return json;
}

Table ServicesTable(const std::vector<HostedService>& services) {
  Table table({{"id"},
               {"app"},
               {"device"},
               {"launcher"},
               {"state"},
               {"URL"},
               {"started"}});
  for (const HostedService& one : services) {
    table.AddRow({one.id, one.order.app, one.order.device, one.order.launcher,
                  std::string(ToString(one.state)), one.url, StartText(one)});
  }
  return table;
}

Table CandidatesTable(const NetworkPlacement& placement) {
  Table table(
      {{"device"}, {"predicted", Align::kRight}, {"interval"}, {"note"}});
  const CandidateRanking& ranking = placement.ranking;
  for (size_t i = 0; i < ranking.candidates.size(); ++i) {
    const PlaceCandidate& one = ranking.candidates[i];
    std::string note = i == placement.chosen ? "chosen" : "";
    if (!one.reachable && one.value) note = "not startable from here";
    if (!one.value && !one.notes.empty() && note != "chosen") {
      note = one.notes.front();
    }
    if (!one.fits_memory.value_or(true)) note = "too little memory";
    table.AddRow({one.device + (one.emulated ? " (emulated)" : ""),
                  one.value ? ValueText(*one.value, ranking.unit) : "",
                  IntervalText(one, ranking.unit), note});
  }
  return table;
}

}  // namespace

std::optional<size_t> ChoosePlace(const CandidateRanking& ranking) {
  for (size_t i = 0; i < ranking.candidates.size(); ++i) {
    if (Suits(ranking.candidates[i])) return i;
  }
  return std::nullopt;
}

std::string ServiceNameFor(const std::string& file) {
  return SafeServiceName(std::filesystem::path(file).stem());
}

std::string SafeServiceName(std::string name) {
  for (char& c : name) {
    if (!IsLetterOrDigit(c) && !IsInnerOfName(c)) c = '-';
  }
  // "-x" would be a flag, and ".." another folder of a URL.
  while (!name.empty() && !IsLetterOrDigit(name.front())) name.erase(0, 1);
  if (name.size() > kLongestName) name.resize(kLongestName);
  while (!name.empty() && !IsLetterOrDigit(name.back())) name.pop_back();
  return name.empty() ? "network" : name;
}

Result<std::string> ParseServiceName(const std::string& text) {
  const bool safe =
      !text.empty() && text.size() <= kLongestName &&
      IsLetterOrDigit(text.front()) && IsLetterOrDigit(text.back()) &&
      std::ranges::all_of(
          text, [](char c) { return IsLetterOrDigit(c) || IsInnerOfName(c); });
  if (safe) return text;
  return InvalidInput(fmt::format(
      "'{}' is not a name of a service: up to {} letters, digits, '-', '_' and "
      "'.', with a letter or digit at both ends",
      Tame(text, 80), kLongestName));
}

Result<NetworkPlacement> PlaceNetwork(const PlaceNetworkRequest& request,
                                      const RankPlaces& rank, ServiceHost& host,
                                      std::stop_token stop) {
  NetworkPlacement placement;
  ASSIGN_OR_RETURN(placement.ranking, rank());
  if (!request.node.empty()) {
    ASSIGN_OR_RETURN(placement.chosen,
                     ChooseNode(request.node, placement.ranking));
  } else {
    auto chosen = ChoosePlace(placement.ranking);
    if (!chosen) return NowhereToPlace(placement.ranking);
    placement.chosen = *chosen;
    placement.note = WhyNotBest(placement.ranking, *chosen);
  }
  if (request.dry_run) return placement;
  const PlaceCandidate& place = placement.ranking.candidates[placement.chosen];
  std::error_code error;
  const auto network = std::filesystem::absolute(request.network, error);
  if (error) return SystemError("find " + request.network, error.value());
  ASSIGN_OR_RETURN(
      placement.service,
      host.Start({.app = request.app.empty() ? ServiceNameFor(request.network)
                                             : request.app,
                  .network = request.served.empty() ? network.string()
                                                    : request.served,
                  .device = place.device,
                  .limits = place.limits,
                  .threads = place.threads,
                  .launcher = request.launcher,
                  .image = request.image,
                  .upload = request.upload},
                 stop));
  return placement;
}

Json NetworkPlacementToJson(const NetworkPlacement& placement) {
  const CandidateRanking& ranking = placement.ranking;
  const PlaceCandidate& chosen = ranking.candidates[placement.chosen];
  Json json{{"chosen", CandidateToJson(chosen, ranking.unit)},
            {"ranking", Json::array()}};
  for (const PlaceCandidate& one : ranking.candidates) {
    json["ranking"].push_back(CandidateToJson(one, ranking.unit));
  }
  json["tied"] = ranking.tied;
  SetText(json, "note", placement.note);
  if (placement.service) json["service"] = ServiceToJson(*placement.service);
  return json;
}

std::string NetworkPlacementText(const NetworkPlacement& placement) {
  const CandidateRanking& ranking = placement.ranking;
  const PlaceCandidate& chosen = ranking.candidates[placement.chosen];
  std::string text = ChosenText(chosen, ranking.unit);
  if (placement.service) {
    text += fmt::format("serving {} at {}\n", placement.service->order.app,
                        InferUrl(*placement.service));
    text += fmt::format("stop it with: mete place stop {}\n",
                        placement.service->id);
  }
  if (!placement.note.empty()) text += Wrapped(placement.note);
  return text + "\n" + CandidatesTable(placement).Text();
}

std::string NetworkPlacementCsv(const NetworkPlacement& placement) {
  return CandidatesTable(placement).Csv();
}

std::string HostedServicesText(const std::vector<HostedService>& services) {
  if (services.empty()) return "no services\n";
  return ServicesTable(services).Text();
}

std::string HostedServicesCsv(const std::vector<HostedService>& services) {
  return ServicesTable(services).Csv();
}

Json HostedServicesToJson(const std::vector<HostedService>& services) {
  Json json = Json::array();
  for (const HostedService& one : services) json.push_back(ServiceToJson(one));
  return Json{{"services", std::move(json)}};
}

}  // namespace mete
