// Measures what a plan needs to know of an application: how long one request
// takes, and how much memory an instance uses, alone and without load.
#pragma once

#include <stop_token>
#include <string>

#include "contend/campaign_plan.h"
#include "contend/service_pool.h"
#include "support/clock.h"

namespace mete {

// Sends one request after the other for at least two seconds and ten requests,
// but for no more than 30 seconds. Fails like ServicePool::Provide.
Result<ApplicationFacts> MeasureAlone(const std::string& application,
                                      ServicePool& pool, Clock& clock,
                                      std::stop_token stop);

}  // namespace mete
