// In-memory fakes of a controller's dependencies: series set by tests, knobs
// that remember their values, and notifications that are recorded.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ports/actuator.h"
#include "ports/notifier.h"
#include "ports/series_source.h"

namespace mete {

// Returns the values that a test set for a selector.
class FakeSeries final : public SeriesSource {
 public:
  explicit FakeSeries(std::string name = "fake") : name_(std::move(name)) {}

  std::map<std::string, SeriesValues> values;
  std::string silence;  // why it does not answer; empty: it does

  void Set(const std::string& selector, double value) {
    values[selector] = {{.labels = {{"__name__", selector}}, .value = value}};
  }

  std::string name() const override { return name_; }
  Status Check(const std::string& selector) const override {
    if (selector.empty()) return InvalidInput("no selector");
    if (selector == "bad") return InvalidInput("'bad' is bad");
    return {};
  }
  std::vector<Result<SeriesValues>> Ask(
      const std::vector<std::string>& selectors, std::stop_token) override {
    std::vector<Result<SeriesValues>> answers;
    for (const std::string& selector : selectors) {
      if (silence.empty()) {
        answers.emplace_back(values[selector]);
      } else {
        answers.emplace_back(Unavailable(silence));
      }
    }
    return answers;
  }

 private:
  std::string name_;
};

// Only the targets in `knobs` exist; others are kNotFound.
class FakeActuator final : public Actuator {
 public:
  using Knob = std::pair<std::string, ControlKnob>;  // "process hog", kCpus
  std::map<Knob, std::optional<double>> knobs;
  std::optional<Error> refusal;    // of writes
  std::vector<std::string> calls;  // writes and releases: "process hog 0.2"
  int life = 1;                    // raise it to restart all targets
  bool ended = false;  // targets have ended, but their cgroups exist
  std::vector<std::string> sought;    // arguments of Find
  std::string home;                   // home of the handles found from now on
  std::vector<LimitHandle> released;  // in order

  Result<LimitHandle> Find(const ControlTarget& target,
                           ControlKnob knob) override {
    sought.push_back(target.Text());
    if (!knobs.contains({target.Text(), knob})) return Gone(target);
    return LimitHandle{.target = target,
                       .knob = knob,
                       .place = target.Text(),
                       .version = life,
                       .home = home};
  }
  Result<std::optional<double>> Read(const LimitHandle& handle) override {
    auto found = knobs.find({handle.place, handle.knob});
    if (found == knobs.end() || handle.version != life)
      return Gone(handle.target);
    return found->second;
  }
  bool HasEnded(const LimitHandle& handle) override {
    return ended || handle.version != life ||
           !knobs.contains({handle.place, handle.knob});
  }
  Status Write(const LimitHandle& handle,
               std::optional<double> value) override {
    if (refusal) return *refusal;
    auto found = knobs.find({handle.place, handle.knob});
    if (found == knobs.end() || handle.version != life)
      return Gone(handle.target);
    found->second = value;
    calls.push_back(handle.place + " " +
                    (value ? std::to_string(*value).substr(0, 4) : "none"));
    return {};
  }
  Status Release(const LimitHandle& handle) override {
    calls.push_back("release " + handle.place);
    released.push_back(handle);
    return {};
  }

 private:
  static Error Gone(const ControlTarget& target) {
    return NotFound("no " + target.Text());
  }
};

// Records notifications.
class FakeNotifier final : public Notifier {
 public:
  std::vector<Notice> sent;
  std::vector<Delivery> ended;

  void Send(Notice notice) override { sent.push_back(std::move(notice)); }
  std::vector<Delivery> Ended() override { return std::exchange(ended, {}); }
};

// A noisy process and its CPU limit.
inline const ControlTarget kFakeHog{.kind = ControlTarget::Kind::kProcess,
                                    .name = "hog"};
inline const FakeActuator::Knob kFakeHogCpus{"process hog", ControlKnob::kCpus};

}  // namespace mete
