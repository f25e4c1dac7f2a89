// Shared by the tests of the doctor: recorded and synthetic machines, and
// scripted probes.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "linux/system_root.h"
#include "ports/system_probes.h"
#include "support/file.h"

namespace mete {

// A machine recorded in the test fixtures.
inline SystemRoot Recorded(const std::string& machine) {
  return SystemRoot(std::string(METE_FIXTURES) + "/root/" + machine);
}

// Returns what the test has set. By default nothing is available.
class ScriptedProbes final : public SystemProbes {
 public:
  Status TryPerfCounter() override { return perf; }
  Result<NvidiaAnswer> AskNvidia() override { return nvidia; }
  Status Connect(const ProbeTarget& endpoint) override {
    asked = Name(endpoint);
    return connected;
  }
  Result<HttpAnswer> HttpGet(const ProbeTarget& endpoint,
                             const std::string& target) override {
    asked = Name(endpoint) + target;
    return http;
  }

  Status perf = Unsupported("no counters");
  Result<NvidiaAnswer> nvidia = NotFound("no library");
  Status connected = Unavailable("connect to it: connection refused");
  Result<HttpAnswer> http = Unavailable("connect to it: connection refused");
  std::string asked;

 private:
  static std::string Name(const ProbeTarget& endpoint) {
    if (const auto* path = std::get_if<std::filesystem::path>(&endpoint)) {
      return path->filename().string();
    }
    const auto& address = std::get<TcpAddress>(endpoint);
    return address.host + ":" + std::to_string(address.port);
  }
};

// An empty machine to which a test adds files and variables.
class MadeUpMachine : public testing::Test {
 protected:
  void Put(const std::string& path, const std::string& content = "x\n") {
    auto file = root.Locate(path);
    std::filesystem::create_directories(file.parent_path());
    ASSERT_TRUE(WriteFileAtomically(file, content).ok());
  }
  std::optional<std::string> Variable(const std::string& name) const {
    auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  }

  ScratchFolder folder = *ScratchFolder::Create();
  SystemRoot root{folder.path()};
  std::map<std::string, std::string> variables;
  ScriptedProbes probes;
};

}  // namespace mete
