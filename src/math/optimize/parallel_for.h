// Runs independent pieces of work on several threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

namespace mete {

// Calls work(0) to work(count - 1), each once, in any order, on up to `threads`
// threads including this one, and waits. Results must not depend on the order.
inline void ParallelFor(size_t threads, size_t count,
                        const std::function<void(size_t)>& work) {
  std::atomic<size_t> next{0};
  auto run = [&] {
    for (size_t k = next++; k < count; k = next++) work(k);
  };
  std::vector<std::jthread> helpers;
  for (size_t t = 1; t < threads && t < count; ++t) helpers.emplace_back(run);
  run();
}

}  // namespace mete
