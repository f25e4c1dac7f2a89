// Speed of the inference engine on the device. Every series also has the label
// `node`. docs/reference/nodes.md describes how they are used.
#pragma once

#include <array>

#include "net/metric_text.h"

namespace mete {

inline constexpr MetricFamily kEngineGemm{
    .name = "mete_device_engine_gemm_flops_per_second",
    .unit = "flops_per_second",
    .labels = "threads, engine",
    .help = "Floating-point operations per second in a large matrix product.",
    .caveat = "Measured once while the device was idle; see the timestamp."};
inline constexpr MetricFamily kEngineConv{
    .name = "mete_device_engine_conv_flops_per_second",
    .unit = "flops_per_second",
    .labels = "threads, engine",
    .help = "Floating-point operations per second in a 3x3 convolution.",
    .caveat = "As above."};
inline constexpr MetricFamily kEngineDepthwise{
    .name = "mete_device_engine_depthwise_flops_per_second",
    .unit = "flops_per_second",
    .labels = "threads, engine",
    .help =
        "Floating-point operations per second in a 3x3 depthwise convolution.",
    .caveat = "As above."};
inline constexpr MetricFamily kEngineElementwise{
    .name = "mete_device_engine_elementwise_bytes_per_second",
    .unit = "bytes_per_second",
    .labels = "threads, engine",
    .help =
        "Bytes read and written per second by an element-wise operator on data "
        "larger than the caches.",
    .caveat = "As above."};
inline constexpr MetricFamily kEngineNode{
    .name = "mete_device_engine_node_seconds",
    .unit = "seconds",
    .labels = "threads, engine",
    .help = "Time added by one more very small operator.",
    .caveat = "As above."};
inline constexpr MetricFamily kEngineMeasured{
    .name = "mete_device_engine_measured_timestamp_seconds",
    .unit = "seconds",
    .help = "Unix time at which the engine was measured."};

inline constexpr std::array kEngineFamilies = {
    &kEngineGemm,        &kEngineConv, &kEngineDepthwise,
    &kEngineElementwise, &kEngineNode, &kEngineMeasured};

}  // namespace mete
