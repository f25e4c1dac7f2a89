// Computes the memory of live values while the nodes of a graph run one by one.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "describe/amount.h"
#include "domain/graph.h"

namespace mete {

// Sums the sizes of live values. A value lives from the node that produces it
// to the last one that reads it; graph outputs live to the end. `graph` and
// `reads` must outlive this.
class LiveBytes {
 public:
  // `reads` holds NamesReadBy of every node.
  LiveBytes(const Graph& graph,
            const std::vector<std::vector<std::string>>& reads);

  // Adds a graph input, or an output of the current node.
  void Add(std::string_view name, Amount bytes);
  // Ends node `place`, after all its outputs were added. `inside` is the extra
  // memory of its subgraphs. Removes the values that no later node reads.
  void Finish(size_t place, Amount inside);

  // The largest sum so far. Open when the size of a value is open.
  Amount peak() const { return peak_; }

 private:
  static constexpr size_t kNever = SIZE_MAX;

  void Release(std::string_view name);

  const Graph& graph_;
  const std::vector<std::vector<std::string>>& reads_;
  std::unordered_map<std::string_view, size_t> last_use_;
  std::unordered_map<std::string_view, uint64_t> live_;
  uint64_t total_ = 0;
  Amount unknown_;  // open or absurd once any value was
  Amount peak_;
};

}  // namespace mete
