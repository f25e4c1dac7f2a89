#include "linux/unread_input.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>

namespace mete {
namespace {

TEST(UnreadInput, APipeHasSomeOnceSomebodyWroteToIt) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  EXPECT_FALSE(HasUnreadInput(ends[0]));
  ASSERT_EQ(write(ends[1], "x", 1), 1);
  EXPECT_TRUE(HasUnreadInput(ends[0]));
  close(ends[1]);
  EXPECT_TRUE(HasUnreadInput(ends[0]));
  char taken = 0;
  ASSERT_EQ(read(ends[0], &taken, 1), 1);
  EXPECT_FALSE(HasUnreadInput(ends[0]));  // only the end is left
  close(ends[0]);
}

TEST(UnreadInput, AFileHasSomeUntilItsEnd) {
  FILE* file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  const int number = fileno(file);
  EXPECT_FALSE(HasUnreadInput(number));
  ASSERT_EQ(write(number, "text", 4), 4);
  EXPECT_FALSE(HasUnreadInput(number));
  ASSERT_EQ(lseek(number, 0, SEEK_SET), 0);
  EXPECT_TRUE(HasUnreadInput(number));
  std::fclose(file);
}

TEST(UnreadInput, NothingElseHasAny) {
  const int null = open("/dev/null", O_RDONLY);
  EXPECT_FALSE(HasUnreadInput(null));
  close(null);
  const int zero = open("/dev/zero", O_RDONLY);  // a terminal may be typed into
  EXPECT_FALSE(HasUnreadInput(zero));
  close(zero);
  EXPECT_FALSE(HasUnreadInput(-1));
}

TEST(UnreadInput, DoesNotWaitForAny) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  const auto begun = std::chrono::steady_clock::now();
  for (int i = 0; i < 5000; ++i) ASSERT_FALSE(HasUnreadInput(ends[0]));
  // Milliseconds; waiting for one each time would be five seconds.
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(4));
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace mete
