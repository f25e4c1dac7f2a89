#include "agent/privileges.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

TEST(Privileges, AFileThatCannotBeCreatedNamesTheUserAndTheRemedy) {
  Error denied(ErrorCode::kPermissionDenied, "bind: permission denied");
  Error explained = ExplainAs("nobody", "/run/mete", denied);
  EXPECT_EQ(explained.code(), ErrorCode::kPermissionDenied);
  EXPECT_EQ(explained.message(),
            "bind: permission denied; the agent has become 'nobody' (--user), "
            "who cannot create files in /run/mete: run 'chown nobody "
            "/run/mete', or choose another --hook-folder");
}

TEST(Privileges, OtherErrorsStayAsTheyAre) {
  Error busy = Unavailable("bind: address in use");
  EXPECT_EQ(ExplainAs("nobody", "/run/mete", busy).message(),
            "bind: address in use");
}

}  // namespace
}  // namespace mete
