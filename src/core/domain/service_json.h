// JSON of services in runs and of mixes in campaigns.
#pragma once

#include "domain/service_details.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

Json TenantToJson(const Tenant& tenant);
Json MixToJson(const Mix& mix);
Json ServiceToJson(const ServiceDetails& service);

// Fail with kCorrupt, or throw like the JSON library, when a value is missing
// or has another type.
Result<Tenant> TenantFromJson(const Json& json);
Result<Mix> MixFromJson(const Json& json);
Result<ServiceDetails> ServiceFromJson(const Json& json);

}  // namespace mete
