#include "load/load_samples.h"

namespace mete {

std::optional<Seconds> LoadSample::Sojourn() const {
  if (fate != RequestFate::kAnswered || !received) return std::nullopt;
  return Seconds(*received - intended);
}

}  // namespace mete
