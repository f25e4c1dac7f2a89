// A running process and its descendants, observed through /proc.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "adapters/attach/usage_since.h"
#include "linux/system_root.h"
#include "ports/launcher.h"
#include "support/descriptor.h"

namespace mete {

// Usage may be called from another thread, but not from two at once.
class AttachedProcess final : public RunningApplication {
 public:
  // The process must exist.
  AttachedProcess(const SystemRoot& root, int pid);

  bool Wait(std::chrono::nanoseconds at_most) override;
  void Terminate() override {}  // it is not ours
  void Kill() override {}
  ResourceUsage Usage() override;
  std::vector<int> ProcessIds() const override;
  std::string Accounting() const override {
    return "/proc, since the attachment";
  }
  ProcessEnding Outcome() override;
  const std::vector<std::string>& notes() const override { return notes_; }

 private:
  bool Ended() const;
  // Totals of all processes of the tree since each of them started.
  ResourceUsage ReadTotals() const;

  SystemRoot root_;
  int pid_;
  std::optional<std::chrono::nanoseconds> started_;  // since boot
  Descriptor handle_;  // readable when the process ends; may be missing
  UsageSince usage_;
  std::vector<std::string> notes_;
};

}  // namespace mete
