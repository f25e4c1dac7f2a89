#include "adapters/docker/engine_endpoint.h"

#include <gtest/gtest.h>

#include <map>

#include "support/file.h"
#include "support/json.h"
#include "support/sha256.h"

namespace mete {
namespace {

using std::filesystem::path;

// A machine with the given variables and files.
class EngineEndpoint : public testing::Test {
 protected:
  void Put(const path& file, const std::string& text) {
    path full = folder_.path() / file;
    std::filesystem::create_directories(full.parent_path());
    ASSERT_TRUE(WriteFileAtomically(full, text).ok());
  }

  Result<Endpoint> Find() {
    return FindEngine({.environment = [this](const std::string& name)
                           -> std::optional<std::string> {
                         auto found = variables_.find(name);
                         if (found == variables_.end()) return std::nullopt;
                         return found->second;
                       },
                       .root = folder_.path()});
  }

  ScratchFolder folder_ = *ScratchFolder::Create();
  std::map<std::string, std::string> variables_ = {
      {"HOME", (folder_.path() / "home").string()}};
};

TEST_F(EngineEndpoint, PrefersDockerHost) {
  variables_["DOCKER_HOST"] = "unix:///x/y.sock";
  variables_["DOCKER_CONTEXT"] = "other";
  EXPECT_EQ(Find()->socket, "/x/y.sock");
}

TEST_F(EngineEndpoint, UsesTheHostOfTheSelectedContext) {
  Put("home/.docker/config.json", R"({"currentContext":"rootless"})");
  Put("home/.docker/contexts/meta/" + ComputeSha256("rootless") + "/meta.json",
      R"({"Name":"rootless","Endpoints":{"docker":{"Host":"unix:///r.sock"}}})");
  EXPECT_EQ(Find()->socket, "/r.sock");
}

TEST_F(EngineEndpoint, UsesTheUsualSocketForTheDefaultContext) {
  Put("home/.docker/config.json", R"({"currentContext":"default"})");
  Put("var/run/docker.sock", "");
  EXPECT_EQ(Find()->socket, (folder_.path() / "var/run/docker.sock").string());
}

TEST_F(EngineEndpoint, FindsPodmanWithoutDocker) {
  Put("run/podman/podman.sock", "");
  EXPECT_EQ(Find()->socket,
            (folder_.path() / "run/podman/podman.sock").string());
}

TEST_F(EngineEndpoint, NamesAnUnknownContext) {
  variables_["DOCKER_CONTEXT"] = "gone";
  EXPECT_EQ(Find().error().message(), "docker context gone: no such context");
}

TEST_F(EngineEndpoint, RejectsAnotherMachine) {
  variables_["DOCKER_HOST"] = "tcp://192.0.2.1:2375";
  EXPECT_EQ(Find().error().code(), ErrorCode::kUnsupported);
  EXPECT_EQ(Find().error().message(),
            "DOCKER_HOST: tcp://192.0.2.1:2375 is another machine; run mete "
            "there");
}

TEST_F(EngineEndpoint, AdvisesWhatToDoWithoutAnySocket) {
  EXPECT_EQ(Find().error().code(), ErrorCode::kUnavailable);
}

TEST_F(EngineEndpoint, ABrokenContextIsCorrupt) {
  variables_["DOCKER_CONTEXT"] = "odd";
  Put("home/.docker/contexts/meta/" + ComputeSha256("odd") + "/meta.json",
      R"({"Endpoints":[]})");
  EXPECT_EQ(Find().error().code(), ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace mete
