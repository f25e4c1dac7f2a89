// Reports of the control loop that are not decisions: unresponsive sources,
// missing series, and the delivery of notifications.
#include "control/control_loop.h"
#include "net/url_login.h"

namespace mete {

Status ControlLoop::ReportDeliveries() {
  for (const Delivery& delivery : dependencies_.notifier.Ended()) {
    AuditEntry entry = Plain("delivery");
    entry.rule = delivery.about;
    entry.remark = RedactUrl(delivery.url);
    entry.result = delivery.status.ok() ? "delivered" : "failed";
    if (!delivery.status.ok()) entry.error = delivery.status.error().message();
    RETURN_IF_ERROR(dependencies_.record(entry));
  }
  return {};
}

// Reports once when a source stops answering and once when it is back.
Status ControlLoop::ReportSources(
    const std::vector<std::vector<SourceAnswer>>& answers) {
  std::map<std::string, std::string> silent;
  for (const auto& of_rule : answers) {
    for (const SourceAnswer& answer : of_rule) {
      if (!answer.series.ok()) {
        silent.emplace(answer.source, answer.series.error().message());
      }
    }
  }
  for (const auto& [source, why] : silent) {
    if (silent_.contains(source)) continue;
    AuditEntry entry = Plain("source");
    entry.remark = source + " does not answer";
    entry.error = why;
    RETURN_IF_ERROR(dependencies_.record(entry));
  }
  for (const auto& [source, why] : silent_) {
    if (silent.contains(source)) continue;
    AuditEntry entry = Plain("source");
    entry.remark = source + " answers again";
    RETURN_IF_ERROR(dependencies_.record(entry));
  }
  silent_ = std::move(silent);
  return {};
}

Status ControlLoop::ReportMissing(Watched& watched,
                                  const RuleReading& reading) {
  // Unresponsive sources have been reported already.
  std::string remark = reading.complete ? reading.remark : watched.remark;
  if (remark == watched.remark) return {};
  watched.remark = remark;
  AuditEntry entry = Entry(watched, reading, "missing");
  entry.evidence.reset();
  entry.remark = remark.empty() ? "its series are available again" : remark;
  return dependencies_.record(entry);
}

}  // namespace mete
