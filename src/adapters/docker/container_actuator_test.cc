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
  auto update = UpdateOf(knob, value, *ParseJson(config));
  return update.ok() ? update->dump() : update.error().message();
}

TEST(UpdateOf, WritesCpusInTheFormTheyHadBefore) {
  EXPECT_EQ(Update(ControlKnob::kCpus, 0.5, R"({"NanoCpus":2000000000})"),
            R"({"NanoCpus":500000000})");
  EXPECT_EQ(Update(ControlKnob::kCpus, 0.5,
                   R"({"CpuQuota":40000,"CpuPeriod":50000})"),
            R"({"CpuPeriod":50000,"CpuQuota":25000})");
  EXPECT_EQ(Update(ControlKnob::kCpus, 0.5, R"({"NanoCpus":0,"CpuQuota":0})"),
            R"({"CpuPeriod":100000,"CpuQuota":50000})");
}

TEST(UpdateOf, RemovesAQuota) {
  EXPECT_EQ(Update(ControlKnob::kCpus, std::nullopt,
                   R"({"CpuQuota":50000,"CpuPeriod":100000})"),
            R"({"CpuPeriod":100000,"CpuQuota":-1})");
}

TEST(UpdateOf, KeepsTheRatioOfMemoryToSwap) {
  EXPECT_EQ(
      Update(ControlKnob::kMemory, 100, R"({"Memory":300,"MemorySwap":400})"),
      R"({"Memory":100,"MemorySwap":200})");
  EXPECT_EQ(
      Update(ControlKnob::kMemory, 100, R"({"Memory":300,"MemorySwap":-1})"),
      R"({"Memory":100,"MemorySwap":-1})");
}

TEST(UpdateOf, CannotRemoveAMemoryLimit) {
  EXPECT_FALSE(
      UpdateOf(ControlKnob::kMemory, std::nullopt, Json::object()).ok());
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
  KnobHold Hold(ControlKnob knob) {
    auto hold = actuator_.Find(
        {.kind = ControlTarget::Kind::kContainer, .name = "batch"}, knob);
    EXPECT_TRUE(hold.ok()) << hold.error().message();
    return hold.ok() ? *hold : KnobHold{};
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
  KnobHold hold = Hold(ControlKnob::kCpus);
  ASSERT_TRUE(actuator_.Write(hold, 0.5).ok());
  Runs(false);
  // It keeps its limits and has them when it starts again.
  EXPECT_FALSE(actuator_.HasEnded(hold));
  auto limit = actuator_.Read(hold);
  ASSERT_TRUE(limit.ok()) << limit.error().message();
  EXPECT_EQ(*limit, 0.5);
  ASSERT_TRUE(actuator_.Write(hold, std::nullopt).ok());
  EXPECT_EQ(*actuator_.Read(hold), std::nullopt);
}

TEST_F(ContainerActuatorTest, DoesNotFindAStoppedContainer) {
  Runs(false);
  auto hold =
      actuator_.Find({.kind = ControlTarget::Kind::kContainer, .name = "batch"},
                     ControlKnob::kCpus);
  EXPECT_EQ(hold.error().code(), ErrorCode::kNotFound);
}

TEST_F(ContainerActuatorTest, AStoppedContainerIsNoLongerPaused) {
  KnobHold hold = Hold(ControlKnob::kPause);
  container_["State"]["Paused"] = true;
  EXPECT_EQ(*actuator_.Read(hold), 1);
  container_["State"]["Paused"] = false;
  Runs(false);
  EXPECT_TRUE(actuator_.HasEnded(hold));
  ASSERT_TRUE(actuator_.Read(hold).ok());
  EXPECT_EQ(*actuator_.Read(hold), 0);
}

TEST_F(ContainerActuatorTest, ARemovedContainerIsNotFound) {
  KnobHold hold = Hold(ControlKnob::kCpus);
  container_ = nullptr;
  EXPECT_TRUE(actuator_.HasEnded(hold));
  EXPECT_EQ(actuator_.Read(hold).error().code(), ErrorCode::kNotFound);
}

TEST_F(ContainerActuatorTest, RejectsAMemoryLimitBelowTheMemoryInUse) {
  KnobHold hold = Hold(ControlKnob::kMemory);
  Status refused = actuator_.Write(hold, 399);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), ErrorCode::kInvalidInput);
  EXPECT_THAT(updates_, IsEmpty());
  Status lowered = actuator_.Write(hold, 401);
  EXPECT_TRUE(lowered.ok()) << lowered.error().message();
  EXPECT_EQ(*actuator_.Read(hold), 401);
}

TEST_F(ContainerActuatorTest, DoesNotLowerAMemoryLimitWhenTheUseIsUnknown) {
  KnobHold hold = Hold(ControlKnob::kMemory);
  stats_ = Json::object();
  Status refused = actuator_.Write(hold, 500);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message(), HasSubstr("memory use"));
  // Restoring does not need to know the use.
  EXPECT_TRUE(actuator_.Write(hold, 2000).ok());
}

}  // namespace
}  // namespace mete
