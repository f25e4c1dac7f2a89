#include "contention/tenant_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace mete {

Result<size_t> FindApplication(std::span<const std::string> sorted,
                               std::string_view application) {
  auto found = std::lower_bound(sorted.begin(), sorted.end(), application);
  if (found == sorted.end() || *found != application) {
    return NotFound(
        fmt::format("no mix of the training had '{}'; the predictor knows {}",
                    application, fmt::join(sorted, ", ")));
  }
  return static_cast<size_t>(found - sorted.begin());
}

Status CheckRate(double rate) {
  if (std::isfinite(rate) && rate > 0) return {};
  return InvalidInput("the rate of a tenant must be positive");
}

Status CheckTenants(std::span<const Tenant> tenants) {
  if (tenants.empty()) return InvalidInput("a mix needs at least one tenant");
  for (const Tenant& tenant : tenants) {
    if (tenant.instances < 1) {
      return InvalidInput("a tenant needs at least one instance");
    }
    RETURN_IF_ERROR(CheckRate(tenant.rate));
  }
  return {};
}

}  // namespace mete
