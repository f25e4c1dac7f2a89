#include "jobs/job_log.h"

#include <gtest/gtest.h>

#include "support/capped_log.h"
#include "support/file.h"

namespace mete {
namespace {

class JobLogTest : public testing::Test {
 protected:
  CappedLog Begin(int run, Bytes cap = Mebibytes(1)) {
    auto run_folder = folder / std::to_string(run);
    std::filesystem::create_directories(run_folder);
    return CappedLog::Open(run_folder / "app.log", cap).value();
  }
  // Everything that is available now.
  static std::string ReadAll(JobLog& log) {
    std::string all;
    while (true) {
      auto text = log.Read();
      EXPECT_TRUE(text.ok()) << text.error().message();
      if (!text.ok() || text->empty()) return all;
      all += *text;
    }
  }

  ScratchFolder scratch = *ScratchFolder::Create();
  std::filesystem::path folder = scratch.path() / "job";
};

TEST_F(JobLogTest, IsEmptyBeforeTheJobHasStarted) {
  JobLog log(folder);
  EXPECT_EQ(*log.Read(), "");
  Begin(1).Write("hello");
  EXPECT_EQ(*log.Read(), "hello");
}

TEST_F(JobLogTest, ReturnsOnlyNewText) {
  CappedLog writer = Begin(1);
  JobLog log(folder);
  writer.Write("one ");
  EXPECT_EQ(*log.Read(), "one ");
  EXPECT_EQ(*log.Read(), "");
  writer.Write("two");
  EXPECT_EQ(*log.Read(), "two");
  EXPECT_EQ(log.offset(), 7u);
}

TEST_F(JobLogTest, ContinuesFromRunToRun) {
  Begin(1).Write("first ");
  Begin(2).Write("second ");
  JobLog log(folder);
  EXPECT_EQ(ReadAll(log), "first second ");
  Begin(3).Write("third");
  EXPECT_EQ(ReadAll(log), "third");
}

TEST_F(JobLogTest, SkipsARunWithoutOutput) {
  Begin(1);
  Begin(2).Write("second");
  JobLog log(folder);
  EXPECT_EQ(ReadAll(log), "second");
}

TEST_F(JobLogTest, FollowsALogThatIsCut) {
  CappedLog writer = Begin(1, Bytes{8});
  JobLog log(folder);
  std::string all;
  for (char c = 'a'; c <= 'z'; ++c) {
    writer.Write(std::string(1, c));
    all += ReadAll(log);
  }
  EXPECT_EQ(all, "abcdefghijklmnopqrstuvwxyz");
}

TEST_F(JobLogTest, LosesNothingWhenTheLogWasCutTwiceBetweenReads) {
  CappedLog writer = Begin(1, Bytes{8});
  JobLog log(folder);
  writer.Write("ab");
  EXPECT_EQ(ReadAll(log), "ab");
  writer.Write("cdefghij");  // abcd is gone, efgh the older half
  EXPECT_EQ(ReadAll(log), "cdefghij");
  Begin(2).Write("k");
  EXPECT_EQ(ReadAll(log), "k");
}

TEST_F(JobLogTest, StartsWithTheOlderHalfOfACutLog) {
  Begin(1, Bytes{8}).Write("abcdefghij");
  JobLog log(folder);
  EXPECT_EQ(ReadAll(log), "efghij");
}

TEST_F(JobLogTest, ResumesAtTheOffsetOfAnEarlierReader) {
  Begin(1, Bytes{20}).Write("0123456789ab");
  Begin(2).Write("cdef");
  for (uint64_t offset = 0; offset <= 16; ++offset) {
    JobLog log(folder, offset);
    EXPECT_EQ(ReadAll(log), std::string("0123456789abcdef").substr(offset));
    EXPECT_EQ(log.offset(), 16u);
  }
}

TEST_F(JobLogTest, ResumesAtTheEndWhenTheOffsetIsBeyondIt) {
  CappedLog writer = Begin(1);
  writer.Write("old");
  JobLog log(folder, 100);
  EXPECT_EQ(ReadAll(log), "");
  writer.Write("new");
  EXPECT_EQ(ReadAll(log), "new");
  EXPECT_EQ(log.offset(), 103u);
}

TEST_F(JobLogTest, ReturnsLongTextInParts) {
  Begin(1).Write(std::string(JobLog::kMost + 1, 'x'));
  JobLog log(folder);
  EXPECT_EQ(log.Read()->size(), JobLog::kMost);
  EXPECT_EQ(log.Read()->size(), 1u);
}

TEST_F(JobLogTest, FailsWhenTheFolderCannotBeOpened) {
  ASSERT_TRUE(WriteFileAtomically(folder, "not a folder").ok());
  JobLog log(folder);
  EXPECT_FALSE(log.Read().ok());
}

TEST_F(JobLogTest, FailsWhenTheLogCannotBeRead) {
  std::filesystem::create_directories(folder / "1" / "app.log");
  JobLog log(folder);
  EXPECT_FALSE(log.Read().ok());
}

}  // namespace
}  // namespace mete
