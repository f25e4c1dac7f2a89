#include "wiring/open_stores.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/settings.h"
#include "support/file.h"

namespace mete {
namespace {

TEST(OpenStores, ChoosesSqliteByItsScheme) {
  ScratchFolder folder = *ScratchFolder::Create();
  auto file = folder.path() / "store.db";
  auto stores = OpenStores("sqlite:" + file.string());
  ASSERT_TRUE(stores.ok()) << stores.error().message();
  EXPECT_FALSE(std::filesystem::exists(file)) << "opened before it was needed";
  auto runs = stores->open_runs();
  ASSERT_TRUE(runs.ok()) << runs.error().message();
  EXPECT_TRUE((*runs)->ListRuns({})->empty());
  EXPECT_TRUE(std::filesystem::exists(file));
}

TEST(OpenStores, ListsTheValidFormatsIfTheSchemeIsUnknown) {
  for (const char* url : {"mysql://host/db", "mete.db", ""}) {
    auto stores = OpenStores(url);
    ASSERT_FALSE(stores.ok()) << url;
    EXPECT_EQ(stores.error().code(), ErrorCode::kUnsupported);
    EXPECT_EQ(stores.error().message(),
              "open store '" + std::string(url) + "': expected sqlite:PATH");
  }
}

TEST(OpenStores, OpensTheDefaultOfTheSetting) {
  auto settings = Settings::Load(
      {.environment = [](const std::string&) { return std::nullopt; }});
  ASSERT_TRUE(settings.ok());
  EXPECT_TRUE(OpenStores(settings->Text("store")).ok());
}

}  // namespace
}  // namespace mete
