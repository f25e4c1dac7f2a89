// Metrics of applications that use the hooks. Every series of an application
// has the labels node, app, container and metric.
#pragma once

#include <array>

#include "net/metric_text.h"

namespace mete {

inline constexpr MetricFamily kApplications{
    .name = "mete_apps",
    .help = "Applications that sent an event recently.",
    .caveat =
        "An application that is silent for longer than --app-expiry is "
        "dropped, even if it is still running."};
inline constexpr MetricFamily kAppEvents{
    .name = "mete_app_events_total",
    .kind = MetricKind::kCounter,
    .labels = "app, container, metric",
    .help =
        "Events received: calls of a timer or number, or the sum counted by a "
        "rate.",
    .caveat = "Dropped events are not included."};
inline constexpr MetricFamily kAppRate{
    .name = "mete_app_rate_hertz",
    .unit = "hertz",
    .labels = "app, container, metric",
    .help =
        "Events per second over the complete seconds in --app-window: "
        "throughput, not 1/latency."};
inline constexpr MetricFamily kAppDuration{
    .name = "mete_app_duration_seconds",
    .kind = MetricKind::kHistogram,
    .unit = "seconds",
    .labels = "app, container, metric, le",
    .help = "Durations recorded by a timer since the application appeared.",
    .caveat =
        "From 1 ms to 1 s the bounds differ by at most a factor of 1.25. "
        "--buckets sets others."};
inline constexpr MetricFamily kAppRecentDuration{
    .name = "mete_app_recent_duration_seconds",
    .kind = MetricKind::kSummary,
    .unit = "seconds",
    .labels = "app, container, metric, quantile",
    .help =
        "Quantiles of the durations recorded by a timer within --app-window.",
    .caveat =
        "Covers at most the last 1024 durations. Quantiles cannot be "
        "aggregated over devices: use mete_app_duration_seconds for that."};
inline constexpr MetricFamily kAppValue{
    .name = "mete_app_value",
    .labels = "app, container, metric",
    .help = "Last value sent for a number.",
    .caveat = "The unit is the application's own and is not reported."};
inline constexpr MetricFamily kAppLast{
    .name = "mete_app_last_event_timestamp_seconds",
    .unit = "seconds",
    .labels = "app, container, metric",
    .help = "Unix time of the last event."};
inline constexpr MetricFamily kAppDropped{
    .name = "mete_app_dropped_events_total",
    .kind = MetricKind::kCounter,
    .labels = "app, container, metric",
    .help = "Events that occurred but were not received.",
    .caveat = "An empty label `metric` means that the metric is not known."};
inline constexpr MetricFamily kHookDatagrams{
    .name = "mete_agent_hook_datagrams_total",
    .kind = MetricKind::kCounter,
    .help = "Datagrams received from applications."};
inline constexpr MetricFamily kHookMessages{
    .name = "mete_agent_hook_messages_total",
    .kind = MetricKind::kCounter,
    .help = "Messages received on the WaAP-compatible stream socket."};
inline constexpr MetricFamily kHookRefused{
    .name = "mete_agent_hook_refused_total",
    .kind = MetricKind::kCounter,
    .labels = "reason",
    .help =
        "Messages refused because they were malformed or oversized, or because "
        "of the limit on connections or applications."};

inline constexpr std::array kApplicationFamilies = {
    &kApplications,      &kAppEvents,    &kAppRate,    &kAppDuration,
    &kAppRecentDuration, &kAppValue,     &kAppLast,    &kAppDropped,
    &kHookDatagrams,     &kHookMessages, &kHookRefused};

}  // namespace mete
