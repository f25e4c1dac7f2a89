// Port: stores sweeps, including interrupted ones.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "domain/sweep.h"
#include "support/result.h"

namespace mete {

// Stores sweeps. Every call is one transaction. The runs of a sweep are in the
// RunStore; a sweep contains what it needs of them.
class SweepStore {
 public:
  virtual ~SweepStore() = default;

  // Inserts, or replaces the sweep with the same id. Fails with kInvalidInput
  // without an id.
  virtual Status SaveSweep(const Sweep& sweep) = 0;
  // By id or an unambiguous prefix. Fails with kNotFound, or with kInvalidInput
  // and a list of the candidates.
  virtual Result<Sweep> FindSweep(const std::string& id) = 0;
  // The newest unfinished sweep with this key.
  virtual Result<std::optional<Sweep>> UnfinishedSweep(
      const std::string& key) = 0;
  virtual Result<std::vector<Sweep>> ListSweeps() = 0;  // newest first
};

}  // namespace mete
