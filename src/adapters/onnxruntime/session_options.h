// Applies mete's engine options to ONNX Runtime's session options. Only for the
// sources of this folder.
#pragma once

#include <string>
#include <vector>

#include "adapters/onnxruntime/handles.h"
#include "domain/run.h"

namespace mete {

// Execution providers that the library was built with, in its own names:
// "CUDAExecutionProvider", "CPUExecutionProvider".
Result<std::vector<std::string>> ListProviders(const OrtApi& api);

// The entry of `available` that a user means: with or without
// "ExecutionProvider", in upper or lower case. Fails with kUnsupported and
// lists the available ones.
Result<std::string> FindProvider(const std::string& asked,
                                 const std::vector<std::string>& available);

// Threads between operators, optimization, provider, spinning and arena. Fails
// with kUnsupported when the library does not have one of them.
Status ApplyOptions(const OrtApi& api, const EngineOptions& options,
                    OrtSessionOptions* raw);

}  // namespace mete
