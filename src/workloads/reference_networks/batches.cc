#include "reference_networks/batches.h"

#include <numeric>

namespace mete {

std::vector<Batch> MakeBatches(size_t windows, size_t size, Random* random) {
  std::vector<size_t> order(windows);
  std::iota(order.begin(), order.end(), size_t{0});
  if (random != nullptr) Shuffle(order, *random);
  std::vector<Batch> batches;
  for (size_t first = 0; first < windows; first += size) {
    size_t end = std::min(first + size, windows);
    if (end - first == 1 && size > 1 && !batches.empty()) {
      batches.back().push_back(order[first]);
      break;
    }
    auto at = [&](size_t place) {
      return order.begin() + static_cast<std::ptrdiff_t>(place);
    };
    batches.emplace_back(at(first), at(end));
  }
  return batches;
}

void Prepare(const LabelledWindows& windows, std::span<const size_t> batch,
             Normalisation normalisation, Random* random,
             PreparedBatch& prepared) {
  prepared.samples.clear();
  prepared.labels.clear();
  for (size_t place : batch) {
    std::span<const float> window = windows.at(place);
    prepared.samples.insert(prepared.samples.end(), window.begin(),
                            window.end());
    prepared.labels.push_back(windows.labels[place]);
    std::span<float> copy = std::span(prepared.samples).last(kWindow);
    Normalise(copy, normalisation);
    if (random != nullptr) Augment(copy, *random);
  }
}

}  // namespace mete
