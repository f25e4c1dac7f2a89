// How much memory values take while the nodes of a graph run one by one.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "describe/amount.h"
#include "domain/graph.h"

namespace mete {

// A value lives from the node that gives it to the last one that reads it;
// the graph's outputs live to the end. Graph and reads outlive this.
class LiveBytes {
 public:
  // `reads` holds NamesReadBy of every node.
  LiveBytes(const Graph& graph,
            const std::vector<std::vector<std::string>>& reads);

  // A graph input, or an output of the node that runs now.
  void Add(std::string_view name, Amount bytes);
  // All outputs of node `place` were added; `inside` is what its subgraphs
  // need on top. Ends the values nobody reads any more.
  void Finish(size_t place, Amount inside);

  // The largest sum so far; open when a value's size is.
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
