// Predictions of networks on the devices that this machine knows.
#pragma once

#include "cli/predict_command.h"
#include "predict/predict_networks.h"

namespace mete {

// Ranks the devices. Without Prometheus, this machine is one of them, with its
// load as it is now. Fails with kNotFound for an unknown device, and with
// kUnavailable if energy cannot be predicted.
Result<Answers> AskPredictions(Invocation& invocation,
                               const PredictRequest& request,
                               const PredictCommandDependencies& needs);

}  // namespace mete
