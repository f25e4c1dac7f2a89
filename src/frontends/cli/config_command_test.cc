#include "cli/config_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/test_command.h"

namespace mete {
namespace {

using testing::HasSubstr;

TEST(ConfigCommand, ShowsEveryValueWithItsOrigin) {
  CommandRun run = RunCommand(
      {"config", "show", "--store", "sqlite:/tmp/other.db", "-o", "csv"},
      AddConfigCommand);
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.out, HasSubstr("\nstore,sqlite:/tmp/other.db,flag"));
  EXPECT_THAT(run.out, HasSubstr("\nserve.listen,127.0.0.1:7001,default"));
  EXPECT_THAT(run.err, HasSubstr("(flag > METE_* > file > default)"));
}

TEST(ConfigCommand, ExplainsThreadsInTextOnly) {
  EXPECT_THAT(RunCommand({"config", "show"}, AddConfigCommand).out,
              HasSubstr(" 0 (one per core) "));
  EXPECT_THAT(RunCommand({"config", "show", "-o", "csv"}, AddConfigCommand).out,
              HasSubstr("measure.threads,0,default"));
}

}  // namespace
}  // namespace mete
