// Starts an application that uses the hook and receives its events.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "adapters/hook/hook_receiver.h"
#include "support/file.h"

extern char** environ;

namespace mete {

// A child process with pipes to its standard input and output.
class HookTestApp {
 public:
  // `socket` becomes METE_HOOK_SOCKET; empty: the variable is not set.
  HookTestApp(std::vector<std::string> command, const std::string& socket) {
    std::array<int, 2> in{}, out{};
    CHECK(pipe2(in.data(), O_CLOEXEC) == 0 && pipe2(out.data(), O_CLOEXEC) == 0)
        << "pipe";
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    std::vector<char*> arguments = Pointers(command);
    std::vector<std::string> variables = Variables(socket);
    std::vector<char*> environment = Pointers(variables);
    int error = posix_spawnp(&process_, arguments[0], &actions, nullptr,
                             arguments.data(), environment.data());
    posix_spawn_file_actions_destroy(&actions);
    CHECK(error == 0) << "start " << command[0];
    Descriptor(in[0]).Close();
    Descriptor(out[1]).Close();
    input_ = Descriptor(in[1]);
    output_ = Descriptor(out[0]);
  }
  HookTestApp(const HookTestApp&) = delete;
  HookTestApp& operator=(const HookTestApp&) = delete;
  ~HookTestApp() {
    if (process_ > 0) Wait();
  }

  // Waits until it prints "ready" or ends.
  void WaitUntilReady() {
    std::array<char, 16> buffer{};
    while (read(output_.number(), buffer.data(), buffer.size()) < 0) {
    }
  }
  // Returns its exit status; negative for a fatal signal.
  int Wait() {
    input_.Close();
    int status = 0;
    CHECK(waitpid(process_, &status, 0) == process_) << "waitpid";
    process_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

 private:
  // Arguments for exec(), terminated by a null pointer.
  static std::vector<char*> Pointers(std::vector<std::string>& texts) {
    std::vector<char*> pointers(texts.size() + 1, nullptr);
    std::ranges::transform(texts, pointers.begin(),
                           [](std::string& text) { return text.data(); });
    return pointers;
  }
  static std::vector<std::string> Variables(const std::string& socket) {
    std::vector<std::string> variables;
    for (char** text = environ; *text; ++text) {
      const std::string_view variable = *text;
      if (!variable.starts_with("METE_HOOK_SOCKET=")) {
        variables.emplace_back(variable);
      }
    }
    if (!socket.empty()) variables.push_back("METE_HOOK_SOCKET=" + socket);
    return variables;
  }

  pid_t process_ = 0;
  Descriptor input_;
  Descriptor output_;
};

// Stores events by name and lets a test wait for them.
class EventsByName final : public AppEventSink {
 public:
  void Take(const AppEvent& event) override {
    std::lock_guard lock(mutex_);
    events_[event.name].push_back(event);
    changed_.notify_all();
  }
  void TakeLoss(const AppLoss& loss) override {
    std::lock_guard lock(mutex_);
    lost_[loss.name] += loss.events;
  }

  // Waits for `count` events of that name; returns false after 20 s.
  bool WaitFor(const std::string& name, size_t count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(20),
                             [&] { return events_[name].size() >= count; });
  }
  // Call it after the receiver has stopped.
  std::map<std::string, std::vector<AppEvent>>& events() { return events_; }
  std::map<std::string, uint64_t>& lost() { return lost_; }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, std::vector<AppEvent>> events_;
  std::map<std::string, uint64_t> lost_;
};

}  // namespace mete
