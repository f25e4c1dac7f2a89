// What the agent tells about applications that use the hooks. Every series of
// one has the labels app, container and metric.
#pragma once

#include <array>

#include "net/metric_text.h"

namespace mete {

inline constexpr MetricFamily kApplications{
    .name = "mete_apps",
    .help = "Applications that told something lately.",
    .caveat =
        "One that is silent for longer than --app-expiry is forgotten, "
        "whether it has ended or not."};
inline constexpr MetricFamily kAppEvents{
    .name = "mete_app_events_total",
    .kind = MetricKind::kCounter,
    .labels = "app, container, metric",
    .help =
        "What happened: calls of a timer or number, or what a rate "
        "counted.",
    .caveat = "Dropped events are not part of it."};
inline constexpr MetricFamily kAppRate{
    .name = "mete_app_rate_hertz",
    .unit = "hertz",
    .labels = "app, container, metric",
    .help =
        "Events a second over the whole seconds of --app-window: "
        "throughput, not 1/latency."};
inline constexpr MetricFamily kAppDuration{
    .name = "mete_app_duration_seconds",
    .kind = MetricKind::kHistogram,
    .unit = "seconds",
    .labels = "app, container, metric, le",
    .help =
        "How long the steps of a timer took, since the application "
        "appeared."};
inline constexpr MetricFamily kAppRecentDuration{
    .name = "mete_app_recent_duration_seconds",
    .kind = MetricKind::kSummary,
    .unit = "seconds",
    .labels = "app, container, metric, quantile",
    .help = "Quantiles of a timer's steps within --app-window.",
    .caveat =
        "Of at most the last 1024 steps. Quantiles cannot be added up "
        "over devices: use mete_app_duration_seconds for that."};
inline constexpr MetricFamily kAppValue{
    .name = "mete_app_value",
    .labels = "app, container, metric",
    .help = "The number told last.",
    .caveat = "In the application's own unit, which is not told."};
inline constexpr MetricFamily kAppLast{
    .name = "mete_app_last_event_timestamp_seconds",
    .unit = "seconds",
    .labels = "app, container, metric",
    .help = "When something was told last, since 1970."};
inline constexpr MetricFamily kAppDropped{
    .name = "mete_app_dropped_events_total",
    .kind = MetricKind::kCounter,
    .labels = "app, container, metric",
    .help = "Events that happened and did not arrive.",
    .caveat = "An empty metric: it is not known of which."};
inline constexpr MetricFamily kHookDatagrams{
    .name = "mete_agent_hook_datagrams_total",
    .kind = MetricKind::kCounter,
    .help = "Datagrams that applications sent."};
inline constexpr MetricFamily kHookMessages{
    .name = "mete_agent_hook_messages_total",
    .kind = MetricKind::kCounter,
    .help = "Messages on the predecessor's stream."};
inline constexpr MetricFamily kHookRefused{
    .name = "mete_agent_hook_refused_total",
    .kind = MetricKind::kCounter,
    .labels = "reason",
    .help =
        "What arrived and could not be used: malformed, oversized, from a "
        "connection or an application too many."};

inline constexpr std::array kApplicationFamilies = {
    &kApplications,      &kAppEvents,    &kAppRate,    &kAppDuration,
    &kAppRecentDuration, &kAppValue,     &kAppLast,    &kAppDropped,
    &kHookDatagrams,     &kHookMessages, &kHookRefused};

}  // namespace mete
