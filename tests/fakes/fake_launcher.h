// A launcher whose applications follow a test's script, on the test's clock.
#pragma once

#include <signal.h>

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "ports/launcher.h"
#include "tests/fakes/fake_clock.h"

namespace mete {

// The behaviour of one application.
struct ApplicationScript {
  // Time until it ends by itself; absent: never.
  std::optional<std::chrono::nanoseconds> length = std::chrono::seconds(1);
  ProcessEnding ending = {.exit_code = 0, .evidence = "script"};
  bool heeds_terminate = true;
  std::string output;
  std::optional<Error> start_failure;
  // Samples by time since the start.
  std::function<ResourceUsage(Seconds)> usage = [](Seconds elapsed) {
    return ResourceUsage{.cpu = elapsed, .memory = Mebibytes(10)};
  };
  std::vector<std::string> notes;
  std::vector<EnforcedLimit> missing_limits;
  std::vector<int> process_ids;
  std::vector<AbsentProbe> absent;
  std::vector<std::filesystem::path> files;  // that it opens
  std::optional<RemotePlace> place;          // absent: this machine
  // Called in each Wait, for example to request a stop.
  std::function<void()> on_wait = [] {};
};

// Records the calls, for tests to inspect.
struct LauncherLog {
  std::vector<LaunchRequest> starts;
  int terminated = 0;
  int killed = 0;  // while it was running
};

// Launches the applications of the script.
class FakeLauncher final : public Launcher {
 public:
  using Scripts = std::function<ApplicationScript(const LaunchRequest&)>;
  FakeLauncher(FakeClock& clock, Scripts scripts)
      : clock_(clock), scripts_(std::move(scripts)) {}

  Result<std::unique_ptr<RunningApplication>> Start(
      const LaunchRequest& request) override {
    {
      std::lock_guard lock(mutex_);
      log_.starts.push_back(request);
    }
    ApplicationScript script = scripts_(request);
    if (script.start_failure) return *script.start_failure;
    if (request.output && !script.output.empty()) request.output(script.output);
    return std::unique_ptr<RunningApplication>(
        std::make_unique<Application>(*this, std::move(script)));
  }

  Result<std::vector<std::string>> Nodes(std::stop_token) override {
    return nodes;
  }

  std::vector<std::string> nodes;  // of its cluster

  // Read it only when nothing is running.
  const LauncherLog& log() const { return log_; }

 private:
  class Application final : public RunningApplication {
   public:
    Application(FakeLauncher& launcher, ApplicationScript script)
        : launcher_(launcher),
          script_(std::move(script)),
          start_(launcher.clock_.Now()) {}
    ~Application() override { Kill(); }

    bool Wait(std::chrono::nanoseconds at_most) override {
      script_.on_wait();
      if (ended_) return true;
      auto now = launcher_.clock_.Now();
      if (script_.length && start_ + *script_.length <= now + at_most) {
        launcher_.clock_.Advance(std::max(std::chrono::nanoseconds(0),
                                          start_ + *script_.length - now),
                                 std::chrono::nanoseconds(0));
        ended_ = true;
        return true;
      }
      launcher_.clock_.Advance(at_most, std::chrono::nanoseconds(0));
      return false;
    }
    void Terminate() override {
      launcher_.Count(&LauncherLog::terminated);
      if (!ended_ && script_.heeds_terminate) EndBy(SIGTERM);
    }
    void Kill() override {
      if (ended_) return;
      launcher_.Count(&LauncherLog::killed);
      EndBy(SIGKILL);
    }
    ResourceUsage Usage() override {
      return script_.usage(launcher_.clock_.Now() - start_);
    }
    std::vector<int> ProcessIds() const override { return script_.process_ids; }
    std::vector<AbsentProbe> AbsentProbes() const override {
      return script_.absent;
    }
    std::optional<std::vector<std::filesystem::path>> OpenedFiles() override {
      if (!launcher_.log_.starts.back().record_files) return std::nullopt;
      return script_.files;
    }
    std::string Accounting() const override { return "script"; }
    ProcessEnding Outcome() override { return script_.ending; }
    const std::vector<std::string>& notes() const override {
      return script_.notes;
    }
    std::optional<RemotePlace> Place() const override { return script_.place; }
    std::vector<EnforcedLimit> MissingLimits() const override {
      return script_.missing_limits;
    }

   private:
    void EndBy(int signal) {
      ended_ = true;
      script_.ending.exit_code.reset();
      script_.ending.signal = signal;
    }

    FakeLauncher& launcher_;
    ApplicationScript script_;
    std::chrono::nanoseconds start_;
    bool ended_ = false;
  };

  void Count(int LauncherLog::*what) {
    std::lock_guard lock(mutex_);
    ++(log_.*what);
  }

  FakeClock& clock_;
  Scripts scripts_;
  std::mutex mutex_;
  LauncherLog log_;
};

}  // namespace mete
