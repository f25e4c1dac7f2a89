#include "predict/question.h"

namespace mete {

NetworkCounts ToNetworkCounts(const NetworkTraits& traits) {
  const LegacyCounts& counts = traits.counts;
  return {.conv_layers = static_cast<double>(counts.conv_layers),
          .pool_layers = static_cast<double>(counts.pool_layers),
          .fc_layers = static_cast<double>(counts.fc_layers),
          .filter_details = static_cast<double>(counts.filter_details),
          .total_parameters = static_cast<double>(counts.total_parameters),
          .input_bytes = traits.input_bytes,
          .output_bytes = traits.output_bytes};
}

NetworkQuestion ToQuestion(const LatencyRow& row) {
  return {.name = row.network.name,
          .counts = ToNetworkCounts(row.network),
          .traits = row.network};
}

}  // namespace mete
