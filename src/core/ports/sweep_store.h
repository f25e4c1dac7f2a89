// Port: where sweeps are kept, those that were broken off too.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "domain/sweep.h"
#include "support/result.h"

namespace mete {

// Every call is one transaction. The runs of a sweep are in the RunStore; a
// sweep holds what it needs of them.
class SweepStore {
 public:
  virtual ~SweepStore() = default;

  // Inserts, or replaces the sweep of the same id. Fails with kInvalidInput
  // without an id.
  virtual Status SaveSweep(const Sweep& sweep) = 0;
  // By id or by an unambiguous beginning of one. Fails with kNotFound, or
  // kInvalidInput naming the candidates.
  virtual Result<Sweep> FindSweep(const std::string& id) = 0;
  // The newest of this key that is not finished.
  virtual Result<std::optional<Sweep>> UnfinishedSweep(
      const std::string& key) = 0;
  virtual Result<std::vector<Sweep>> ListSweeps() = 0;  // newest first
};

}  // namespace mete
