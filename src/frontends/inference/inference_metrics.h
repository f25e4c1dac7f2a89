// /metrics of an inference service, in the Prometheus text format.
#pragma once

#include <string>

#include "service/inference_service.h"

namespace mete {

std::string InferenceMetricsText(const InferenceService& service);

}  // namespace mete
