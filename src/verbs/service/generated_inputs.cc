#include "service/generated_inputs.h"

#include <fmt/format.h>

namespace mete {

Status CheckServedBatch(const std::vector<GraphValue>& inputs, int64_t batch,
                        int64_t largest) {
  if (batch < 1) return InvalidInput("batch must be at least 1");
  if (batch > largest) {
    return InvalidInput(
        fmt::format("batch {} is larger than allowed ({})", batch, largest));
  }
  if (inputs.empty()) return {};
  const std::optional<Shape>& shape = inputs.front().type.shape;
  if (!shape || shape->empty() || !shape->front().size) return {};
  if (const int64_t fixed = *shape->front().size;
      batch != 1 && batch != fixed) {
    return InvalidInput(
        fmt::format("the network does not take batch {}: its input '{}' has "
                    "the fixed shape {}",
                    batch, inputs.front().name, FormatShape(*shape)));
  }
  return {};
}

Result<const std::vector<TensorValue>*> GeneratedInputs::For(int64_t batch) {
  RETURN_IF_ERROR(
      CheckServedBatch(request_.inputs, batch, request_.largest_batch));
  auto found = made_.find(batch);
  if (found != made_.end()) return &found->second;
  if (made_.size() >= kMostKept) made_.clear();
  InputRequest request = request_.values;
  request.sizes.batch = batch;
  ASSIGN_OR_RETURN(InputFeeds feeds,
                   MakeInputs(request_.inputs, request, images_));
  return &made_.emplace(batch, std::move(feeds.feeds.front())).first->second;
}

}  // namespace mete
