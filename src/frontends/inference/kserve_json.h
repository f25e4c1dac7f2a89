// The JSON form of the Open Inference Protocol (KServe v2): tensors as lists of
// numbers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "domain/tensor.h"
#include "support/result.h"

namespace mete {

// A request to infer.
struct KserveRequest {
  std::string id;  // returned with the answer; may be ""
  std::vector<TensorValue> inputs;
  std::vector<std::string> outputs;  // names to return; empty: all
};

// "FP32", "INT64", …; "" for types that the protocol or its JSON form lacks.
std::string_view KserveType(ElementType type);

// Fails with kCorrupt if the text is not JSON, and with kInvalidInput and the
// name of the input if its data do not match its shape and type.
Result<KserveRequest> ParseKserveRequest(std::string_view body);

// The answer, on one line. Numbers that are not finite become null. Fails with
// kInvalidInput if the request names an output that does not exist, and with
// kUnsupported for an output that JSON cannot carry.
Result<std::string> WriteKserveReply(const std::string& network,
                                     const KserveRequest& request,
                                     const std::vector<TensorValue>& outputs);

}  // namespace mete
