#include "adapters/webhook/webhook_notifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "net/http_server.h"
#include "tests/integration/until.h"

namespace mete {
namespace {

using testing::HasSubstr;

// Waits for the deliveries.
std::vector<Delivery> Await(WebhookNotifier& notifier, size_t count) {
  std::vector<Delivery> all;
  EXPECT_TRUE(Until([&] {
    for (Delivery& delivery : notifier.Ended()) {
      all.push_back(std::move(delivery));
    }
    return all.size() >= count;
  }));
  return all;
}

class WebhookNotifierTest : public testing::Test {
 protected:
  std::string url() const {
    return "http://" + server_->endpoint().Authority() + "/hook";
  }

  std::atomic<int> status_ = 204;
  HttpRequest last_;
  std::unique_ptr<HttpServer> server_ =
      *HttpServer::Start({.listen = {.host = "127.0.0.1"}, .threads = 1},
                         [this](const HttpRequest& request) {
                           last_ = request;
                           return HttpReply{{.status = status_}};
                         });
};

TEST_F(WebhookNotifierTest, PostsJson) {
  WebhookNotifier notifier;
  notifier.Send({.url = url(), .body = {{"a", 1}}, .about = "r"});
  auto ended = Await(notifier, 1);
  ASSERT_EQ(ended.size(), 1);
  EXPECT_TRUE(ended[0].status.ok());
  EXPECT_EQ(ended[0].about, "r");
  EXPECT_EQ(last_.method, "POST");
  EXPECT_EQ(last_.target, "/hook");
  EXPECT_EQ(last_.body, "{\"a\":1}");
  EXPECT_EQ(last_.fields["content-type"], "application/json");
}

TEST_F(WebhookNotifierTest, ReportsWhatWentWrong) {
  status_ = 500;
  WebhookNotifier notifier;
  notifier.Send({.url = url()});
  notifier.Send({.url = "http://127.0.0.1:1"});
  auto ended = Await(notifier, 2);
  ASSERT_EQ(ended.size(), 2);
  EXPECT_THAT(ended[0].status.error().message(), HasSubstr("status 500"));
  EXPECT_FALSE(ended[1].status.ok());
}

TEST_F(WebhookNotifierTest, LimitsTheQueue) {
  WebhookNotifier notifier;
  for (size_t i = 0; i < 10 * WebhookNotifier::kMostWaiting; ++i) {
    notifier.Send({.url = url()});
  }
  auto ended = Await(notifier, 10 * WebhookNotifier::kMostWaiting);
  EXPECT_EQ(ended.size(), 10 * WebhookNotifier::kMostWaiting);
  auto refused = std::ranges::count_if(ended, [](const Delivery& delivery) {
    return !delivery.status.ok() && delivery.status.error().message().find(
                                        "too many") != std::string::npos;
  });
  EXPECT_GT(refused, 0);
}

TEST_F(WebhookNotifierTest, SendsCredentialsButDoesNotRepeatThem) {
  status_ = 500;
  WebhookNotifier notifier;
  notifier.Send({.url = "http://me:hush@" + server_->endpoint().Authority() +
                        "/hook?key=hush"});
  auto ended = Await(notifier, 1);
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_EQ(last_.fields.at("authorization"), "Basic bWU6aHVzaA==");
  ASSERT_FALSE(ended[0].status.ok());
  EXPECT_THAT(ended[0].status.error().message(), HasSubstr("status 500"));
  EXPECT_THAT(ended[0].status.error().message(),
              testing::Not(HasSubstr("hush")));
}

}  // namespace
}  // namespace mete
