#include "contend/launched_service.h"

#include <fmt/format.h>

#include <mutex>

#include "contend/service_client.h"
#include "support/text.h"

namespace mete {
namespace {

constexpr std::chrono::milliseconds kReadyPause{20};
constexpr std::chrono::seconds kEndPatience{2};
// Of the output, for the address and for messages about its end.
constexpr size_t kMostOutput = 16 * 1024;

// What a service printed so far. Thread-safe: the launcher writes on a thread
// of its own.
class ServiceOutput {
 public:
  void Add(std::string_view text) {
    std::lock_guard lock(mutex_);
    text_ += text;
    if (text_.size() > kMostOutput) {
      text_.erase(0, text_.size() - kMostOutput);
    }
  }
  std::optional<Endpoint> Address() const {
    std::lock_guard lock(mutex_);
    return FindServiceAddress(text_);
  }
  // The last line that is not empty.
  std::string LastLine() const {
    std::lock_guard lock(mutex_);
    std::string last;
    for (std::string& line : SplitAt(text_, '\n')) {
      if (!line.empty()) last = std::move(line);
    }
    return Tame(last, 300);
  }

 private:
  mutable std::mutex mutex_;
  std::string text_;
};

class LaunchedService final : public RunningService {
 public:
  LaunchedService(std::unique_ptr<RunningApplication> application,
                  std::shared_ptr<ServiceOutput> output, Clock& clock)
      : application_(std::move(application)),
        output_(std::move(output)),
        clock_(clock) {}

  ~LaunchedService() override {
    application_->Terminate();
    application_->Wait(kEndPatience);
    application_->Kill();
  }

  Status AwaitReady(Seconds patience, std::stop_token stop) override {
    const auto deadline =
        clock_.Now() +
        std::chrono::duration_cast<std::chrono::nanoseconds>(patience);
    while (!IsReady(stop)) {
      if (stop.stop_requested()) {
        return Error(ErrorCode::kInterrupted, "stopped before it was ready");
      }
      if (HasEnded()) {
        return Unavailable("the service ended before it was ready" + Said());
      }
      if (clock_.Now() > deadline) {
        return Error(ErrorCode::kTimeout,
                     fmt::format("the service is not ready after {}{}",
                                 FormatSeconds(patience), Said()));
      }
      clock_.SleepFor(kReadyPause, stop);
    }
    return {};
  }

  bool HasEnded() override {
    return application_->Wait(std::chrono::nanoseconds(0));
  }
  const Endpoint& endpoint() const override { return client_->endpoint(); }

  Status Infer(std::stop_token stop) override {
    return client_->Infer(std::move(stop));
  }
  Status Flush(std::stop_token stop) override {
    return client_->Flush(std::move(stop));
  }
  Result<ServiceTimes> Times(std::stop_token stop) override {
    return client_->Times(std::move(stop));
  }

  ResourceUsage Usage() override { return application_->Usage(); }
  std::vector<int> ProcessIds() override { return application_->ProcessIds(); }
  std::string Accounting() override { return application_->Accounting(); }

 private:
  bool IsReady(std::stop_token stop) {
    if (!client_) {
      auto address = output_->Address();
      if (!address) return false;
      client_.emplace(*std::move(address));
    }
    return client_->IsReady(std::move(stop));
  }
  std::string Said() const {
    std::string line = output_->LastLine();
    return line.empty() ? line : ": " + line;
  }

  std::unique_ptr<RunningApplication> application_;
  std::shared_ptr<ServiceOutput> output_;
  Clock& clock_;
  std::optional<ServiceClient> client_;
};

}  // namespace

std::optional<Endpoint> FindServiceAddress(std::string_view output) {
  constexpr std::string_view kScheme = "http://";
  // What it printed before may name other servers.
  const size_t line = output.find("serving ");
  if (line == std::string_view::npos) return std::nullopt;
  for (size_t at = output.find(kScheme, line); at != std::string_view::npos;
       at = output.find(kScheme, at + 1)) {
    size_t end = output.find_first_of(" \t\r\n,;/", at + kScheme.size());
    if (end == std::string_view::npos) return std::nullopt;  // not complete
    auto endpoint = ParseEndpoint(output.substr(at, end - at));
    if (!endpoint.ok() || endpoint->port == 0) continue;
    if (endpoint->host == "0.0.0.0") endpoint->host = "127.0.0.1";
    if (endpoint->host == "::") endpoint->host = "::1";
    return *std::move(endpoint);
  }
  return std::nullopt;
}

Status LaunchedServices::Prepare(const std::string& application,
                                 std::stop_token stop) {
  RETURN_IF_ERROR(
      launcher_.Prepare(make_launch_(application), {}, std::move(stop)));
  return {};
}

Result<std::unique_ptr<RunningService>> LaunchedServices::Start(
    const std::string& application, std::stop_token stop) {
  auto output = std::make_shared<ServiceOutput>();
  LaunchRequest launch = make_launch_(application);
  launch.output = [output](std::string_view text) { output->Add(text); };
  launch.stop = std::move(stop);
  ASSIGN_OR_RETURN(std::unique_ptr<RunningApplication> started,
                   launcher_.Start(launch));
  return std::unique_ptr<RunningService>(std::make_unique<LaunchedService>(
      std::move(started), std::move(output), clock_));
}

}  // namespace mete
