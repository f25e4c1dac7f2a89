#include "support/start_detached.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <sstream>

#include "support/file.h"
#include "support/scratch_folder.h"

namespace mete {
namespace {

// What the program wrote, once it ended its line.
std::string AwaitLine(const std::filesystem::path& file) {
  SystemClock clock;
  for (int i = 0; i < 1000; ++i) {
    auto text = ReadFile(file);
    if (text.ok() && text->ends_with('\n')) return *text;
    clock.SleepFor(std::chrono::milliseconds(10), {});
  }
  return "";
}

TEST(StartDetached, RunsInASessionOfItsOwnThatIsNotOurChild) {
  auto scratch = ScratchFolder::Create().value();
  SystemClock clock;
  auto log = scratch.path() / "log";
  // Field 4 is the parent, field 6 the session.
  ASSERT_TRUE(StartDetached({"sh", "-c",
                             "sleep 0.2; read -r stat </proc/$$/stat; "
                             "set -- $stat; echo $4 $1 $6 $WORD"},
                            {{"WORD", "hello"}}, log, clock)
                  .ok());
  std::istringstream line(AwaitLine(log));
  int parent = 0;
  int pid = 0;
  int session = 0;
  std::string word;
  line >> parent >> pid >> session >> word;
  EXPECT_NE(parent, getpid());
  EXPECT_EQ(session, pid);
  EXPECT_EQ(word, "hello");
}

TEST(StartDetached, FailsWhenTheLogCannotBeWritten) {
  SystemClock clock;
  EXPECT_FALSE(StartDetached({"true"}, {}, "/does/not/exist", clock).ok());
}

}  // namespace
}  // namespace mete
