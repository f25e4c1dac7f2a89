#include "adapters/kubernetes/lease.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "adapters/kubernetes/discovery.h"
#include "net/http.h"
#include "support/json.h"

namespace mete {
namespace {

using std::chrono::nanoseconds;

std::string LeasesPath(const LeaseRequest& lease) {
  return CollectionPath("coordination.k8s.io/v1", "leases", lease.space);
}

std::string LeasePath(const LeaseRequest& lease) {
  return LeasesPath(lease) + "/" + PercentEncode(lease.name);
}

std::string LeaseAct(const LeaseRequest& lease) {
  return fmt::format("lease {}/{}", lease.space, lease.name);
}

// "2026-11-18T13:00:00.123456Z".
std::string MicroTime(std::chrono::system_clock::time_point time) {
  std::string text = FormatUtc(time);
  text.pop_back();
  auto micros = std::chrono::duration_cast<std::chrono::microseconds>(
                    time.time_since_epoch())
                    .count() %
                1'000'000;
  return fmt::format("{}.{:06}Z", text, micros);
}

// Only what is text; other values count as absent.
std::string SpecText(const Json& spec, const char* key) {
  auto found = spec.find(key);
  bool usable = found != spec.end() && found->is_string();
  return usable ? found->get<std::string>() : "";
}

// Numbers of a Lease have 32 bits; a server may send others.
int64_t SpecNumber(const Json& spec, const char* key) {
  auto found = spec.find(key);
  bool usable = found != spec.end() && found->is_number_integer();
  if (!usable) return 0;
  return std::clamp<int64_t>(found->get<int64_t>(), 0,
                             std::numeric_limits<int32_t>::max() - 1);
}

void SetHolder(Json& spec, const LeaseRequest& lease, const std::string& now) {
  const bool ours = SpecText(spec, "holderIdentity") == lease.holder;
  if (!ours) {
    spec["leaseTransitions"] = SpecNumber(spec, "leaseTransitions") + 1;
    spec["acquireTime"] = now;
  }
  spec["holderIdentity"] = lease.holder;
  spec["leaseDurationSeconds"] = std::max<int64_t>(
      1, static_cast<int64_t>(std::ceil(lease.duration.count())));
  spec["renewTime"] = now;
}

ApiRequest LeaseChange(const char* method, const std::string& target,
                       const Json& object) {
  return {.method = method,
          .target = target,
          .content_type = "application/json",
          .body = object.dump()};
}

}  // namespace

Result<LeaseState> Leases::Create(const LeaseRequest& lease,
                                  std::stop_token stop) {
  Json object = {{"apiVersion", "coordination.k8s.io/v1"},
                 {"kind", "Lease"},
                 {"metadata", {{"name", lease.name}}},
                 {"spec", Json::object()}};
  SetHolder(object["spec"], lease, MicroTime(clock_.Wall()));
  object["spec"]["leaseTransitions"] = 0;
  ASSIGN_OR_RETURN(
      ApiAnswer answer,
      client_.Send(LeaseChange("POST", LeasesPath(lease), object), stop));
  // Another replica was faster; the next call shows who.
  if (answer.status == 409) return LeaseState{};
  if (!answer.ok()) return ApiError(answer, LeaseAct(lease));
  return LeaseState{.held = true, .holder = lease.holder};
}

bool Leases::Expired(const LeaseRequest& lease, const Json& spec) {
  const std::string holder = SpecText(spec, "holderIdentity");
  if (holder.empty()) return true;
  const std::string renewed = SpecText(spec, "renewTime");
  std::lock_guard lock(mutex_);
  Seen& seen = seen_[LeasePath(lease)];
  if (seen.renewed != renewed || seen.holder != holder) {
    seen = {.renewed = renewed, .holder = holder, .since = clock_.Now()};
  }
  const auto duration =
      std::chrono::seconds(SpecNumber(spec, "leaseDurationSeconds"));
  return clock_.Now() - seen.since > duration;
}

Result<LeaseState> Leases::Update(const LeaseRequest& lease, Json object,
                                  std::stop_token stop) {
  const std::string before = SpecText(object["spec"], "holderIdentity");
  SetHolder(object["spec"], lease, MicroTime(clock_.Wall()));
  // The object has its resourceVersion, so only one replica succeeds.
  ASSIGN_OR_RETURN(
      ApiAnswer answer,
      client_.Send(LeaseChange("PUT", LeasePath(lease), object), stop));
  if (answer.status == 409) {
    return LeaseState{.holder = before == lease.holder ? "" : before};
  }
  if (!answer.ok()) return ApiError(answer, LeaseAct(lease));
  return LeaseState{.held = true, .holder = lease.holder};
}

Result<LeaseState> Leases::Acquire(const LeaseRequest& lease,
                                   std::stop_token stop) {
  ASSIGN_OR_RETURN(ApiAnswer answer,
                   client_.Send({.target = LeasePath(lease)}, stop));
  if (answer.status == 404) return Create(lease, std::move(stop));
  ASSIGN_OR_RETURN(std::string body,
                   ApiBody(std::move(answer), LeaseAct(lease)));
  ASSIGN_OR_RETURN(Json object, ParseJson(body));
  if (!object.is_object()) return Corrupt(LeaseAct(lease) + ": not an object");
  Json& spec = object["spec"];
  if (!spec.is_object()) spec = Json::object();
  const std::string holder = SpecText(spec, "holderIdentity");
  if (holder != lease.holder && !Expired(lease, spec)) {
    return LeaseState{.holder = holder};
  }
  return Update(lease, std::move(object), std::move(stop));
}

Status Leases::Release(const LeaseRequest& lease) {
  ASSIGN_OR_RETURN(ApiAnswer answer,
                   client_.Send({.target = LeasePath(lease)}));
  if (answer.status == 404) return {};
  ASSIGN_OR_RETURN(std::string body,
                   ApiBody(std::move(answer), LeaseAct(lease)));
  ASSIGN_OR_RETURN(Json object, ParseJson(body));
  if (!object.is_object() || !object["spec"].is_object() ||
      SpecText(object["spec"], "holderIdentity") != lease.holder) {
    return {};
  }
  object["spec"]["holderIdentity"] = "";
  object["spec"]["leaseDurationSeconds"] = 1;
  ASSIGN_OR_RETURN(ApiAnswer released,
                   client_.Send(LeaseChange("PUT", LeasePath(lease), object)));
  // 409: somebody else has it already.
  if (!released.ok() && released.status != 409) {
    return ApiError(released, LeaseAct(lease));
  }
  return {};
}

}  // namespace mete
