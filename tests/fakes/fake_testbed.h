// Testbeds that follow a test's script and start no processes.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collect/worker_protocol.h"
#include "ports/testbed.h"
#include "support/file.h"
#include "support/json.h"
#include "tests/fakes/fake_clock.h"

namespace mete {

// Defines the behaviour of the testbeds and records the calls.
struct TestbedScript {
  // Seconds per inference of the network in that file; absent: it does not fit
  // into memory.
  std::function<std::optional<double>(const std::string& network)> latency =
      [](const std::string&) { return 0.01; };
  // The CPUs that the load uses if it is requested to burn this many.
  std::function<double(double)> delivered = [](double cpus) { return cpus; };
  std::optional<Error> open_failure;
  std::function<void()> on_run = [] {};

  std::vector<TestbedRequest> opened;
  std::vector<std::string> loaded;  // networks, in order
  std::vector<std::string> inputs;  // values given for the last network
  std::vector<double> burnt;        // CPUs, in order
};

// Makes testbeds that follow the script.
class FakeTestbedFactory final : public TestbedFactory {
 public:
  FakeTestbedFactory(FakeClock& clock, TestbedScript& script)
      : clock_(clock), script_(script) {}

  Result<std::unique_ptr<Testbed>> Open(
      const TestbedRequest& request) override {
    if (script_.open_failure) return *script_.open_failure;
    script_.opened.push_back(request);
    return std::unique_ptr<Testbed>(
        std::make_unique<FakeTestbed>(clock_, script_, request));
  }

  Result<std::filesystem::path> Folder() override {
    if (!folder_) {
      ASSIGN_OR_RETURN(ScratchFolder made, ScratchFolder::Create());
      folder_.emplace(std::move(made));
    }
    return folder_->path();
  }

 private:
  class FakeTestbed final : public Testbed {
   public:
    FakeTestbed(FakeClock& clock, TestbedScript& script,
                const TestbedRequest& request)
        : clock_(clock), script_(script), request_(request) {}

    Result<std::unique_ptr<TestbedProcess>> Start(
        TestbedRole, const std::vector<std::string>&) override {
      return std::unique_ptr<TestbedProcess>(std::make_unique<Process>(*this));
    }
    Status KeepForLoad(double) override { return {}; }
    // Depends on the clock only: the load uses the CPUs that were requested.
    TestbedUsage Usage() override {
      Settle();
      return {.at = clock_.Now(), .others = Seconds(others_)};
    }
    std::optional<Bytes> MemoryAvailable() override {
      return request_.limits ? request_.limits->memory : Gibibytes(8);
    }
    const std::vector<std::string>& notes() const override { return notes_; }

   private:
    friend class FakeTestbedFactory;

    class Process final : public TestbedProcess {
     public:
      explicit Process(FakeTestbed& testbed) : testbed_(testbed) {}
      Status Send(const std::string& line) override {
        if (ended_) return Unavailable("ended");
        line_ = line;
        return {};
      }
      Result<std::string> Receive(Seconds, std::stop_token stop) override {
        if (stop.stop_requested()) {
          return Error(ErrorCode::kInterrupted, "stopped");
        }
        auto answer = testbed_.Answer(*ParseJson(line_), latency_);
        if (answer) return *answer;
        ended_ = true;
        return Unavailable("ended");
      }
      ProcessEnding Ending() override { return {.signal = 9, .oom_kills = 1}; }
      const std::string& last_output() const override { return none_; }

     private:
      FakeTestbed& testbed_;
      std::string line_;
      std::string none_;
      double latency_ = 0;
      bool ended_ = false;
    };

    void Settle() {
      double now = Seconds(clock_.Now()).count();
      others_ += (now - settled_) * script_.delivered(cpus_);
      settled_ = now;
    }

    std::optional<std::string> Answer(const Json& order, double& latency) {
      if (order["do"] == "burn") {
        Settle();
        cpus_ = order["cpus"].get<double>();
        script_.burnt.push_back(cpus_);
        return ToLine(Json{{"burning", cpus_}});
      }
      if (order["do"] == "load") {
        std::string network = order["network"].get<std::string>();
        script_.loaded.push_back(std::filesystem::path(network).stem());
        script_.inputs = LoadOrderFrom(order)->inputs;
        auto found = script_.latency(std::filesystem::path(network).stem());
        if (!found) return std::nullopt;
        latency = *found;
        return ToLine(ToJson(LoadedNetwork{.seconds = 0.1,
                                           .input_shapes = {"input=1x4"},
                                           .input_origin = "random",
                                           .engine = {"fake", "1.0"}}));
      }
      RunOrder run = *RunOrderFrom(order);
      script_.on_run();
      TimedRun timed;
      timed.samples.assign(run.at_least, latency);
      timed.cpu_seconds = latency * static_cast<double>(run.at_least);
      clock_.Advance(std::chrono::duration_cast<std::chrono::nanoseconds>(
          Seconds(timed.cpu_seconds)));
      return ToLine(ToJson(timed));
    }

    FakeClock& clock_;
    TestbedScript& script_;
    TestbedRequest request_;
    std::vector<std::string> notes_;
    double cpus_ = 0;
    double others_ = 0;
    double settled_ = 0;
  };

  FakeClock& clock_;
  TestbedScript& script_;
  std::optional<ScratchFolder> folder_;
};

}  // namespace mete
