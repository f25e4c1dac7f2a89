#include "serve/exposure.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

Endpoint At(const std::string& text) { return *ParseListen(text); }

TEST(Exposure, WithinTheMachineNothingNeedsToBeChosen) {
  for (const char* near :
       {"127.0.0.1:7001", "[::1]:7001", "localhost:7001", "unix:///run/s"}) {
    EXPECT_TRUE(CheckExposure({.listen = At(near)}).ok()) << near;
  }
}

TEST(Exposure, OtherMachinesNeedATokenOrACertificate) {
  for (const char* far : {"0.0.0.0:7001", "[::]:7001", "192.0.2.1:7001"}) {
    Status checked = CheckExposure({.listen = At(far)});
    ASSERT_FALSE(checked.ok()) << far;
    EXPECT_EQ(checked.error().code(), ErrorCode::kInvalidInput);
    EXPECT_TRUE(CheckExposure({.listen = At(far), .token_file = true}).ok());
    EXPECT_TRUE(CheckExposure({.listen = At(far), .certificates = true}).ok());
    EXPECT_TRUE(CheckExposure({.listen = At(far), .insecure = true}).ok());
  }
}

}  // namespace
}  // namespace mete
