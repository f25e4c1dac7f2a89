#include "web/basic_auth.h"

#include <gtest/gtest.h>

#include <thread>

#include "support/base64.h"
#include "tests/fakes/fake_clock.h"

namespace mete {
namespace {

using std::chrono::milliseconds;

// bcrypt of "secret" and "other" at the minimum cost, 4.
constexpr const char* kSecret =
    "$2y$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW";
constexpr const char* kOther =
    "$2y$04$zyxwvutsrqponmlkjihgfeoEG75ieRiMxivbt62jo80oWmRUDHZ.e";

HttpRequest Asking(const std::string& pair) {
  return {.fields = {{"authorization", "Basic " + EncodeBase64(pair)}}};
}

class BasicAuthTest : public testing::Test {
 protected:
  // Returns 200 if the request may proceed.
  int StatusFor(const HttpRequest& request) {
    auto refusal = auth_.Refuse(request);
    return refusal ? refusal->response.status : 200;
  }
  int Try(const std::string& pair) { return StatusFor(Asking(pair)); }

  FakeClock clock_;
  BasicAuth auth_{{{"ann", kSecret}, {"bob", kOther}}, clock_};
};

TEST_F(BasicAuthTest, AcceptsTheCorrectPassword) {
  EXPECT_EQ(Try("ann:secret"), 200);
  EXPECT_EQ(Try("bob:other"), 200);
}

TEST_F(BasicAuthTest, RefusesWrongOrMissingCredentials) {
  for (const char* pair :
       {"ann:other", "ann:", "ann", "carl:secret", ":", "", ":secret"}) {
    EXPECT_EQ(Try(pair), 401) << pair;
  }
  EXPECT_EQ(Try(std::string("ann:secret\0x", 12)), 401);
  EXPECT_EQ(StatusFor({}), 401);
  for (const char* field : {"", "Basic", "Basic ", "Basic !!!!", "Bearer x"}) {
    EXPECT_EQ(StatusFor({.fields = {{"authorization", field}}}), 401) << field;
  }
}

TEST_F(BasicAuthTest, RequestsBasicAuthentication) {
  EXPECT_EQ(auth_.Refuse({})->response.fields.at("www-authenticate"), "Basic");
}

TEST_F(BasicAuthTest, IgnoresTheCaseOfTheScheme) {
  EXPECT_EQ(StatusFor({.fields = {{"authorization",
                                   "bASIC " + EncodeBase64("ann:secret")}}}),
            200);
}

TEST_F(BasicAuthTest, WithoutUsersEveryRequestPasses) {
  BasicAuth open({}, clock_);
  EXPECT_FALSE(open.Refuse({}));
}

TEST_F(BasicAuthTest, AWrongPasswordIsFollowedByAPause) {
  clock_.StepPerReading(milliseconds(1));  // the time of each hash
  EXPECT_EQ(Try("ann:wrong"), 401);
  EXPECT_EQ(Try("ann:wrong"), 503);
  EXPECT_EQ(auth_.Refuse(Asking("x:y"))->response.fields.at("retry-after"),
            "1");
  clock_.Advance(milliseconds(4));
  EXPECT_EQ(Try("ann:wrong"), 401);
}

// Otherwise anybody could lock everybody out.
TEST_F(BasicAuthTest, ThePauseIsForOneAddress) {
  clock_.StepPerReading(milliseconds(1));
  HttpRequest guess = Asking("ann:wrong");
  guess.peer = "10.0.0.1";
  EXPECT_EQ(StatusFor(guess), 401);
  EXPECT_EQ(StatusFor(guess), 503);
  HttpRequest other = Asking("ann:secret");
  other.peer = "10.0.0.2";
  EXPECT_EQ(StatusFor(other), 200);
}

TEST_F(BasicAuthTest, RememberedUsersAreNotDelayedByThePause) {
  EXPECT_EQ(Try("ann:secret"), 200);
  clock_.StepPerReading(milliseconds(1));
  EXPECT_EQ(Try("bob:wrong"), 401);
  EXPECT_EQ(Try("bob:other"), 503) << "new";
  EXPECT_EQ(Try("ann:secret"), 200);
}

TEST_F(BasicAuthTest, RemembersNameAndPasswordTogether) {
  EXPECT_EQ(Try("ann:secret"), 200);
  EXPECT_EQ(Try("anns:ecret"), 401);
  EXPECT_EQ(Try("bob:secret"), 401);
}

TEST_F(BasicAuthTest, ManyGuessesAtOnceDoNotQueueUp) {
  SystemClock clock;
  // Cost 10 takes about 60 ms.
  BasicAuth auth({{"ann", std::string("$2y$10$") + (kSecret + 7)}}, clock);
  std::atomic<int> busy = 0;
  {
    std::vector<std::jthread> guesses;
    for (int i = 0; i < 20; ++i) {
      guesses.emplace_back([&auth, &busy, i] {
        auto refusal = auth.Refuse(Asking("ann:" + std::to_string(i)));
        ASSERT_TRUE(refusal);
        if (refusal->response.status == 503) ++busy;
      });
    }
  }
  EXPECT_GE(busy, 15) << "the hashes were computed one after another";
}

TEST(CheckBcrypt, AcceptsHashesWrittenByHtpasswd) {
  EXPECT_TRUE(CheckBcrypt(kSecret).ok());
  std::string hash = kSecret;
  for (const char* start : {"$2a$10$", "$2b$12$", "$2y$14$"}) {
    EXPECT_TRUE(CheckBcrypt(start + hash.substr(7)).ok()) << start;
  }
  for (const char* start : {"$2y$03$", "$2y$15$", "$2y$99$", "$2y$1x$",
                            "$2z$10$", "$1y$10$", "$2y_10$", "$2y$10_"}) {
    EXPECT_FALSE(CheckBcrypt(start + hash.substr(7)).ok()) << start;
  }
  EXPECT_FALSE(CheckBcrypt("").ok());
  EXPECT_FALSE(CheckBcrypt(hash + "x").ok());
  EXPECT_FALSE(CheckBcrypt(hash.substr(1)).ok());
  EXPECT_FALSE(CheckBcrypt(hash.substr(0, 59) + "!").ok());
}

}  // namespace
}  // namespace mete
