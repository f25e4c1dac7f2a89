#include "domain/service_json.h"

#include "support/clock.h"
#include "support/json.h"

namespace mete {
namespace {

Json TenantsToJson(const std::vector<Tenant>& tenants) {
  Json json = Json::array();
  for (const Tenant& tenant : tenants) json.push_back(TenantToJson(tenant));
  return json;
}

Result<std::vector<Tenant>> TenantsFromJson(const Json& json) {
  std::vector<Tenant> tenants;
  for (const Json& item : json) {
    ASSIGN_OR_RETURN(Tenant tenant, TenantFromJson(item));
    tenants.push_back(std::move(tenant));
  }
  return tenants;
}

Json TimesToJson(const RequestTimes& times) {
  Json json = Json::object();
  SetNumber(json, "mean_seconds", times.mean);
  SetNumber(json, "p50_seconds", times.p50);
  SetNumber(json, "p75_seconds", times.p75);
  SetNumber(json, "p95_seconds", times.p95);
  SetNumber(json, "p99_seconds", times.p99);
  return json;
}

RequestTimes TimesFromJson(const Json& json) {
  return {.mean = GetOptional<double>(json, "mean_seconds"),
          .p50 = GetOptional<double>(json, "p50_seconds"),
          .p75 = GetOptional<double>(json, "p75_seconds"),
          .p95 = GetOptional<double>(json, "p95_seconds"),
          .p99 = GetOptional<double>(json, "p99_seconds")};
}

Json TenantUsageToJson(const TenantUsage& usage) {
  Json json = Json::object();
  SetNumber(json, "cpu_cores", usage.cpu_cores);
  SetNumber(json, "cache_references_per_second", usage.cache_references_per_s);
  SetNumber(json, "cache_misses_per_second", usage.cache_misses_per_s);
  SetNumber(json, "page_faults_per_second", usage.page_faults_per_s);
  SetNumber(json, "memory_bytes", usage.memory_bytes);
  return json;
}

TenantUsage TenantUsageFromJson(const Json& json) {
  return {
      .cpu_cores = GetOptional<double>(json, "cpu_cores"),
      .cache_references_per_s =
          GetOptional<double>(json, "cache_references_per_second"),
      .cache_misses_per_s =
          GetOptional<double>(json, "cache_misses_per_second"),
      .page_faults_per_s = GetOptional<double>(json, "page_faults_per_second"),
      .memory_bytes = GetOptional<double>(json, "memory_bytes")};
}

}  // namespace

Json TenantToJson(const Tenant& tenant) {
  Json json;
  json["application"] = tenant.application;
  json["instances"] = tenant.instances;
  json["rate"] = tenant.rate;
  return json;
}

Result<Tenant> TenantFromJson(const Json& json) {
  return Tenant{.application = json.at("application").get<std::string>(),
                .instances = json.at("instances").get<int>(),
                .rate = json.at("rate").get<double>()};
}

Json MixToJson(const Mix& mix) {
  Json json;
  json["id"] = mix.id;
  json["kind"] = MixKindName(mix.kind);
  json["seed"] = mix.seed;
  json["tenants"] = TenantsToJson(mix.tenants);
  return json;
}

Result<Mix> MixFromJson(const Json& json) {
  ASSIGN_OR_RETURN(MixKind kind,
                   ParseMixKind(json.at("kind").get<std::string>()));
  ASSIGN_OR_RETURN(std::vector<Tenant> tenants,
                   TenantsFromJson(json.at("tenants")));
  return Mix{.id = json.at("id").get<std::string>(),
             .kind = kind,
             .tenants = std::move(tenants),
             .seed = json.at("seed").get<uint64_t>()};
}

Json ServiceToJson(const ServiceDetails& service) {
  const MixObservation& row = service.observation;
  Json json;
  json["mix"] = row.mix;
  json["kind"] = MixKindName(row.kind);
  json["seed"] = row.seed;
  json["device"] = row.device;
  json["cores"] = row.cores;
  json["window_seconds"] = row.window_s;
  json["started_at"] = FormatUtc(row.started_at);
  json["tenant"] = TenantToJson(row.tenant);
  json["co_runners"] = TenantsToJson(service.co_runners);
  json["sent"] = row.sent;
  json["answered"] = row.answered;
  json["failed"] = row.failed;
  json["saturated"] = row.saturated;
  SetText(json, "saturation", service.saturation);
  json["service_time"] = TimesToJson(row.service);
  json["sojourn_time"] = TimesToJson(row.sojourn);
  json["usage"] = TenantUsageToJson(row.usage);
  return json;
}

Result<ServiceDetails> ServiceFromJson(const Json& json) {
  ServiceDetails service;
  MixObservation& row = service.observation;
  row.mix = json.at("mix").get<std::string>();
  ASSIGN_OR_RETURN(row.kind, ParseMixKind(json.at("kind").get<std::string>()));
  row.seed = json.at("seed").get<uint64_t>();
  row.device = json.at("device").get<std::string>();
  row.cores = json.at("cores").get<double>();
  row.window_s = json.at("window_seconds").get<double>();
  ASSIGN_OR_RETURN(row.started_at,
                   ParseUtc(json.at("started_at").get<std::string>()));
  ASSIGN_OR_RETURN(row.tenant, TenantFromJson(json.at("tenant")));
  ASSIGN_OR_RETURN(service.co_runners, TenantsFromJson(json.at("co_runners")));
  row.sent = json.at("sent").get<uint64_t>();
  row.answered = json.at("answered").get<uint64_t>();
  row.failed = json.at("failed").get<uint64_t>();
  row.saturated = json.at("saturated").get<bool>();
  service.saturation = GetText(json, "saturation");
  row.service = TimesFromJson(json.at("service_time"));
  row.sojourn = TimesFromJson(json.at("sojourn_time"));
  row.usage = TenantUsageFromJson(json.at("usage"));
  return service;
}

}  // namespace mete
