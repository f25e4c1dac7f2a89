// Checks that all predictors of contention share.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "domain/mix.h"
#include "support/result.h"

namespace mete {

// Index in a sorted list. Fails with kNotFound and the names in the list.
Result<size_t> FindApplication(std::span<const std::string> sorted,
                               std::string_view application);
// Fails with kInvalidInput unless the rate is positive and finite.
Status CheckRate(double rate);
// Fails with kInvalidInput unless all tenants have instances and a rate.
Status CheckTenants(std::span<const Tenant> tenants);

}  // namespace mete
