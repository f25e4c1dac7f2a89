#include "linux/page_cache.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "support/descriptor.h"
#include "support/file.h"

namespace mete {
namespace {

constexpr size_t kSize = 8u << 20;
constexpr long kTmpfs = 0x01021994;

class PageCacheTest : public testing::Test {
 protected:
  void SetUp() override {
    struct statfs system {};
    ASSERT_EQ(statfs(folder.path().c_str(), &system), 0);
    if (system.f_type == kTmpfs) {
      GTEST_SKIP() << "the temporary folder is in memory (tmpfs)";
    }
    ASSERT_TRUE(WriteFileAtomically(file, std::string(kSize, 'x')).ok());
  }

  ScratchFolder folder = *ScratchFolder::Create();
  std::filesystem::path file = folder.path() / "data";
};

TEST_F(PageCacheTest, HoldsAFileThatWasJustWrittenUntilItIsEvicted) {
  EXPECT_EQ(ReadCachedBytes(file), Bytes{kSize});
  EvictFromCache(file);
  EXPECT_EQ(ReadCachedBytes(file), Bytes{0});
  ASSERT_TRUE(ReadFile(file).ok());
  EXPECT_EQ(ReadCachedBytes(file), Bytes{kSize});
}

TEST_F(PageCacheTest, KeepsPagesThatAProgramHasMapped) {
  Descriptor opened(open(file.c_str(), O_RDONLY));
  void* mapped =
      mmap(nullptr, kSize, PROT_READ, MAP_SHARED, opened.number(), 0);
  ASSERT_NE(mapped, MAP_FAILED);
  unsigned sum = 0;
  for (size_t at = 0; at < kSize; at += 4096) {
    sum += static_cast<volatile const unsigned char*>(mapped)[at];
  }
  EXPECT_GT(sum, 0u);
  EvictFromCache(file);
  EXPECT_EQ(ReadCachedBytes(file), Bytes{kSize});
  munmap(mapped, kSize);
}

TEST_F(PageCacheTest, OmitsWhatIsNotARegularFile) {
  EXPECT_EQ(ReadCachedBytes(folder.path()), std::nullopt);
  EXPECT_EQ(ReadCachedBytes(folder.path() / "missing"), std::nullopt);
  EvictFromCache(folder.path() / "missing");
}

TEST_F(PageCacheTest, CountsWholePages) {
  ASSERT_TRUE(WriteFileAtomically(file, "x").ok());
  EXPECT_EQ(ReadCachedBytes(file), Bytes{4096});
  ASSERT_TRUE(WriteFileAtomically(file, std::string(4097, 'x')).ok());
  EXPECT_EQ(ReadCachedBytes(file), Bytes{8192});
  ASSERT_TRUE(WriteFileAtomically(file, "").ok());
  EXPECT_EQ(ReadCachedBytes(file), Bytes{0});
}

TEST_F(PageCacheTest, OfAPipeIsAbsent) {
  const auto pipe = folder.path() / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(ReadCachedBytes(pipe), std::nullopt);
}

TEST_F(PageCacheTest, OfFilesOfOthersIsKnownToRoot) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root";
  ASSERT_EQ(chown(file.c_str(), 65534, 65534), 0);
  EXPECT_EQ(ReadCachedBytes(file), Bytes{kSize});
}

}  // namespace
}  // namespace mete
