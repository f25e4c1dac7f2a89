// Inputs that a service generates for requests without data.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "domain/graph.h"
#include "measure/input_tensors.h"
#include "ports/image_reader.h"
#include "support/result.h"

namespace mete {

// What to generate. The batch in `inputs.sizes` is ignored.
struct GeneratedInputsRequest {
  std::vector<GraphValue> inputs;  // of the network
  InputRequest values;
  int64_t largest_batch = 64;
};

// Generates one set of inputs for each batch that is requested. Not
// thread-safe.
class GeneratedInputs {
 public:
  // `images` must outlive it.
  GeneratedInputs(GeneratedInputsRequest request, ImageReader& images)
      : request_(std::move(request)), images_(images) {}

  // Fails with kInvalidInput for a batch that the network does not take or that
  // is larger than allowed. Valid until the next call.
  Result<const std::vector<TensorValue>*> For(int64_t batch);

 private:
  // Sets for other batches are made again: clients rarely use many.
  static constexpr size_t kMostKept = 4;

  GeneratedInputsRequest request_;
  ImageReader& images_;
  std::map<int64_t, std::vector<TensorValue>> made_;
};

// Fails with kInvalidInput if the network has a fixed batch and this is another
// one, or if it is below 1 or above `largest`. A batch of 1, the default of
// requests, stands for the fixed one.
Status CheckServedBatch(const std::vector<GraphValue>& inputs, int64_t batch,
                        int64_t largest);

}  // namespace mete
