// What the inference engine reaches on the device. Every series also has the
// label `node`; docs/reference/nodes.md says who reads them.
#pragma once

#include <array>

#include "net/metric_text.h"

namespace mete {

inline constexpr MetricFamily kEngineGemm{
    .name = "mete_device_engine_gemm_flops_per_second",
    .unit = "flops_per_second",
    .labels = "threads, engine",
    .help = "Operations a second in a large matrix product.",
    .caveat = "Measured once, when the device was idle; see the timestamp."};
inline constexpr MetricFamily kEngineConv{
    .name = "mete_device_engine_conv_flops_per_second",
    .unit = "flops_per_second",
    .labels = "threads, engine",
    .help = "Operations a second in a 3x3 convolution.",
    .caveat = "As above."};
inline constexpr MetricFamily kEngineDepthwise{
    .name = "mete_device_engine_depthwise_flops_per_second",
    .unit = "flops_per_second",
    .labels = "threads, engine",
    .help = "Operations a second in a 3x3 depthwise convolution.",
    .caveat = "As above."};
inline constexpr MetricFamily kEngineElementwise{
    .name = "mete_device_engine_elementwise_bytes_per_second",
    .unit = "bytes_per_second",
    .labels = "threads, engine",
    .help =
        "Bytes a second read and written by element-wise work beyond the "
        "caches.",
    .caveat = "As above."};
inline constexpr MetricFamily kEngineNode{
    .name = "mete_device_engine_node_seconds",
    .unit = "seconds",
    .labels = "threads, engine",
    .help = "What one more tiny operator costs.",
    .caveat = "As above."};
inline constexpr MetricFamily kEngineMeasured{
    .name = "mete_device_engine_measured_timestamp_seconds",
    .unit = "seconds",
    .help = "When the engine was measured, since 1970."};

inline constexpr std::array kEngineFamilies = {
    &kEngineGemm,        &kEngineConv, &kEngineDepthwise,
    &kEngineElementwise, &kEngineNode, &kEngineMeasured};

}  // namespace mete
