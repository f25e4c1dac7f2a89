#include "adapters/docker/container_actuator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>

#include "net/http_server.h"
#include "support/json.h"

namespace mete {
namespace {

std::string Update(ControlKnob knob, std::optional<double> value,
                   const char* config) {
  auto update = MakeUpdate(knob, value, *ParseJson(config));
  return update.ok() ? update->dump() : update.error().message();
}

TEST(MakeUpdate, WritesCpusInTheFormTheyHadBefore) {
  EXPECT_EQ(Update(ControlKnob::kCpus, 0.5, R"({"NanoCpus":2000000000})"),
            R"({"NanoCpus":500000000})");
  EXPECT_EQ(Update(ControlKnob::kCpus, 0.5,
                   R"({"CpuQuota":40000,"CpuPeriod":50000})"),
            R"({"CpuPeriod":50000,"CpuQuota":25000})");
  EXPECT_EQ(Update(ControlKnob::kCpus, 0.5, R"({"NanoCpus":0,"CpuQuota":0})"),
            R"({"CpuPeriod":100000,"CpuQuota":50000})");
}

TEST(MakeUpdate, RemovesAQuota) {
  EXPECT_EQ(Update(ControlKnob::kCpus, std::nullopt,
                   R"({"CpuQuota":50000,"CpuPeriod":100000})"),
            R"({"CpuPeriod":100000,"CpuQuota":-1})");
}

TEST(MakeUpdate, KeepsTheRatioOfMemoryToSwap) {
  EXPECT_EQ(
      Update(ControlKnob::kMemory, 100, R"({"Memory":300,"MemorySwap":400})"),
      R"({"Memory":100,"MemorySwap":200})");
  EXPECT_EQ(
      Update(ControlKnob::kMemory, 100, R"({"Memory":300,"MemorySwap":-1})"),
      R"({"Memory":100,"MemorySwap":-1})");
}

TEST(MakeUpdate, CannotRemoveAMemoryLimit) {
  EXPECT_FALSE(
      MakeUpdate(ControlKnob::kMemory, std::nullopt, Json::object()).ok());
}

using testing::HasSubstr;
using testing::IsEmpty;

// An engine with a single container that the test describes.
class ContainerActuatorTest : public testing::Test {
 protected:
  HttpReply Answer(const HttpRequest& request) {
    std::lock_guard lock(mutex_);
    const std::string& target = request.target;
    if (target.starts_with("/version")) return Say({{"Version", "20.10"}});
    if (target.starts_with("/info")) return Say(Json::object());
    if (container_.is_null()) return {{.status = 404, .body = "no such"}};
    if (target.ends_with("/json")) return Say(container_);
    if (target.find("/stats") != std::string::npos) return Say(stats_);
    if (target.ends_with("/update")) {
      container_["HostConfig"].update(*ParseJson(request.body));
      updates_.push_back(request.body);
      return Say(Json::object());
    }
    return {{.status = 500, .body = "unexpected " + target}};
  }
  static HttpReply Say(const Json& json) {
    return {{.status = 200, .body = json.dump()}};
  }
  void Runs(bool running) { container_["State"]["Running"] = running; }
  LimitHandle Hold(ControlKnob knob) {
    auto handle = actuator_.Find(
        {.kind = ControlTarget::Kind::kContainer, .name = "batch"}, knob);
    EXPECT_TRUE(handle.ok()) << handle.error().message();
    return handle.ok() ? *handle : LimitHandle{};
  }

  std::mutex mutex_;
  Json container_ = {{"Id", "0123456789abcdef"},
                     {"State", {{"Running", true}, {"Paused", false}}},
                     {"HostConfig", {{"Memory", 1000}, {"MemorySwap", -1}}}};
  Json stats_ = {
      {"memory_stats", {{"usage", 500}, {"stats", {{"inactive_file", 100}}}}}};
  std::vector<std::string> updates_;
  std::unique_ptr<HttpServer> server_ = *HttpServer::Start(
      {.listen = {.host = "127.0.0.1"}},
      [this](const HttpRequest& request) { return Answer(request); });
  ContainerActuator actuator_{server_->endpoint()};
};

TEST_F(ContainerActuatorTest, RestoresTheLimitOfAStoppedContainer) {
  LimitHandle handle = Hold(ControlKnob::kCpus);
  ASSERT_TRUE(actuator_.Write(handle, 0.5).ok());
  Runs(false);
  // It keeps its limits and has them when it starts again.
  EXPECT_FALSE(actuator_.HasEnded(handle));
  auto limit = actuator_.Read(handle);
  ASSERT_TRUE(limit.ok()) << limit.error().message();
  EXPECT_EQ(*limit, 0.5);
  ASSERT_TRUE(actuator_.Write(handle, std::nullopt).ok());
  EXPECT_EQ(*actuator_.Read(handle), std::nullopt);
}

TEST_F(ContainerActuatorTest, DoesNotFindAStoppedContainer) {
  Runs(false);
  auto handle =
      actuator_.Find({.kind = ControlTarget::Kind::kContainer, .name = "batch"},
                     ControlKnob::kCpus);
  EXPECT_EQ(handle.error().code(), ErrorCode::kNotFound);
}

TEST_F(ContainerActuatorTest, AStoppedContainerIsNoLongerPaused) {
  LimitHandle handle = Hold(ControlKnob::kPause);
  container_["State"]["Paused"] = true;
  EXPECT_EQ(*actuator_.Read(handle), 1);
  container_["State"]["Paused"] = false;
  Runs(false);
  EXPECT_TRUE(actuator_.HasEnded(handle));
  ASSERT_TRUE(actuator_.Read(handle).ok());
  EXPECT_EQ(*actuator_.Read(handle), 0);
}

TEST_F(ContainerActuatorTest, ARemovedContainerIsNotFound) {
  LimitHandle handle = Hold(ControlKnob::kCpus);
  container_ = nullptr;
  EXPECT_TRUE(actuator_.HasEnded(handle));
  EXPECT_EQ(actuator_.Read(handle).error().code(), ErrorCode::kNotFound);
}

TEST_F(ContainerActuatorTest, RejectsAMemoryLimitBelowTheMemoryInUse) {
  LimitHandle handle = Hold(ControlKnob::kMemory);
  Status refused = actuator_.Write(handle, 399);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), ErrorCode::kInvalidInput);
  EXPECT_THAT(updates_, IsEmpty());
  Status lowered = actuator_.Write(handle, 401);
  EXPECT_TRUE(lowered.ok()) << lowered.error().message();
  EXPECT_EQ(*actuator_.Read(handle), 401);
}

TEST_F(ContainerActuatorTest, DoesNotLowerAMemoryLimitWhenTheUseIsUnknown) {
  LimitHandle handle = Hold(ControlKnob::kMemory);
  stats_ = Json::object();
  Status refused = actuator_.Write(handle, 500);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message(), HasSubstr("memory use"));
  // Restoring does not need to know the use.
  EXPECT_TRUE(actuator_.Write(handle, 2000).ok());
}

}  // namespace
}  // namespace mete
