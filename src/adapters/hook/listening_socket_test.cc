#include "adapters/hook/listening_socket.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <vector>

#include "support/file.h"

namespace mete {
namespace {

mode_t ReadMode(const std::filesystem::path& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 ? status.st_mode & 0777 : 0;
}

// Leaves the file of a dead receiver: bound, closed, not removed.
void LeaveDead(const std::filesystem::path& path, int type) {
  auto alive = ListeningSocket::Bind({.path = path, .type = type});
  ASSERT_TRUE(alive.ok()) << alive.error().message();
  std::filesystem::rename(path, path.native() + ".kept");
  { ListeningSocket ends(*std::move(alive)); }
  std::filesystem::rename(path.native() + ".kept", path);
}

TEST(ListeningSocket, IsOpenToItsOwnerOrToEveryone) {
  ScratchFolder folder = *ScratchFolder::Create();
  auto own = ListeningSocket::Bind(
      {.path = folder.path() / "own", .type = SOCK_DGRAM});
  auto all = ListeningSocket::Bind({.path = folder.path() / "all",
                                    .type = SOCK_STREAM,
                                    .access = SocketAccess::kEveryone});
  ASSERT_TRUE(own.ok()) << own.error().message();
  ASSERT_TRUE(all.ok()) << all.error().message();
  EXPECT_EQ(ReadMode(own->path()), 0600u);
  EXPECT_EQ(ReadMode(all->path()), 0666u);
}

TEST(ListeningSocket, RemovesItsFile) {
  ScratchFolder folder = *ScratchFolder::Create();
  const auto path = folder.path() / "s";
  {
    auto socket = ListeningSocket::Bind({.path = path, .type = SOCK_DGRAM});
    ASSERT_TRUE(socket.ok()) << socket.error().message();
    ASSERT_TRUE(std::filesystem::exists(path));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(ListeningSocket, RejectsAPathLongerThanAnAddress) {
  ScratchFolder folder = *ScratchFolder::Create();
  auto socket = ListeningSocket::Bind(
      {.path = folder.path() / std::string(120, 'a'), .type = SOCK_DGRAM});
  ASSERT_FALSE(socket.ok());
  EXPECT_EQ(socket.error().code(), ErrorCode::kInvalidInput);
  EXPECT_NE(socket.error().message().find("1 to 107 bytes"), std::string::npos)
      << socket.error().message();
}

TEST(ListeningSocket, AcceptsTheLongestPath) {
  ScratchFolder folder = *ScratchFolder::Create();
  std::string path = folder.path() / "a";
  path.resize(107, 'a');
  auto socket = ListeningSocket::Bind({.path = path, .type = SOCK_DGRAM});
  EXPECT_TRUE(socket.ok()) << socket.error().message();
}

TEST(ListeningSocket, ReplacesTheFileOfADeadReceiver) {
  ScratchFolder folder = *ScratchFolder::Create();
  for (int type : {SOCK_DGRAM, SOCK_STREAM}) {
    const auto path = folder.path() / "s";
    LeaveDead(path, type);
    ASSERT_TRUE(std::filesystem::exists(path));
    auto socket = ListeningSocket::Bind({.path = path, .type = type});
    EXPECT_TRUE(socket.ok()) << socket.error().message();
  }
}

TEST(ListeningSocket, KeepsTheSocketOfARunningReceiver) {
  ScratchFolder folder = *ScratchFolder::Create();
  for (int type : {SOCK_DGRAM, SOCK_STREAM}) {
    const auto path = folder.path() / "s";
    auto first = ListeningSocket::Bind({.path = path, .type = type});
    ASSERT_TRUE(first.ok()) << first.error().message();
    auto second = ListeningSocket::Bind({.path = path, .type = type});
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(second.error().code(), ErrorCode::kUnavailable);
    EXPECT_TRUE(std::filesystem::exists(path));
  }
}

TEST(ListeningSocket, KeepsARunningReceiverOfAnotherKind) {
  ScratchFolder folder = *ScratchFolder::Create();
  const auto path = folder.path() / "s";
  auto first = ListeningSocket::Bind({.path = path, .type = SOCK_STREAM});
  ASSERT_TRUE(first.ok()) << first.error().message();
  // Connecting fails, but not because nobody listens.
  EXPECT_FALSE(ListeningSocket::Bind({.path = path, .type = SOCK_DGRAM}).ok());
  EXPECT_TRUE(std::filesystem::exists(path));
}

TEST(ListeningSocket, RejectsAFileThatIsNotASocket) {
  ScratchFolder folder = *ScratchFolder::Create();
  const auto path = folder.path() / "s";
  std::ofstream(path) << "precious";
  auto socket = ListeningSocket::Bind({.path = path, .type = SOCK_DGRAM});
  ASSERT_FALSE(socket.ok());
  EXPECT_EQ(socket.error().code(), ErrorCode::kInvalidInput);
  EXPECT_EQ(*ReadFile(path), "precious");
}

TEST(ListeningSocket, NamesThePathThatFailed) {
  auto socket =
      ListeningSocket::Bind({.path = "/nowhere/s", .type = SOCK_DGRAM});
  ASSERT_FALSE(socket.ok());
  EXPECT_EQ(socket.error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(socket.error().message(),
            "listen on /nowhere/s: bind: no such file or directory");
}

TEST(ListeningSocket, RejectsAPathOneByteTooLong) {
  ScratchFolder folder = *ScratchFolder::Create();
  const size_t used = folder.path().native().size() + 1;
  ASSERT_LT(used, 100u);
  auto socket = ListeningSocket::Bind(
      {.path = folder.path() / std::string(108 - used, 'a'),
       .type = SOCK_DGRAM});
  ASSERT_FALSE(socket.ok());
  EXPECT_EQ(socket.error().code(), ErrorCode::kInvalidInput);
}

// Leaves so many descriptors to this process while it exists.
class FewDescriptors {
 public:
  explicit FewDescriptors(int count) {
    getrlimit(RLIMIT_NOFILE, &before_);
    rlimit lower = before_;
    // The numbers from the lowest free one on are free, too.
    const int next = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
    close(next);
    lower.rlim_cur = static_cast<rlim_t>(next) + static_cast<rlim_t>(count);
    setrlimit(RLIMIT_NOFILE, &lower);
  }
  ~FewDescriptors() { setrlimit(RLIMIT_NOFILE, &before_); }
  FewDescriptors(const FewDescriptors&) = delete;
  FewDescriptors& operator=(const FewDescriptors&) = delete;

 private:
  rlimit before_{};
};

TEST(ListeningSocket, NamesThePathWithoutADescriptor) {
  FewDescriptors none(0);
  auto socket =
      ListeningSocket::Bind({.path = "/nowhere/s", .type = SOCK_DGRAM});
  ASSERT_FALSE(socket.ok());
  EXPECT_EQ(socket.error().message(),
            "listen on /nowhere/s: too many open files");
}

TEST(ListeningSocket, KeepsTheFileOfADeadReceiverIfItCannotAsk) {
  ScratchFolder folder = *ScratchFolder::Create();
  const auto path = folder.path() / "s";
  LeaveDead(path, SOCK_DGRAM);
  FewDescriptors one(1);
  auto socket = ListeningSocket::Bind({.path = path, .type = SOCK_DGRAM});
  ASSERT_FALSE(socket.ok());
  EXPECT_NE(socket.error().message().find("create a socket"), std::string::npos)
      << socket.error().message();
  EXPECT_TRUE(std::filesystem::exists(path));
}

TEST(ListeningSocket, LetsSixtyFourConnectionsWaitBesideTheFirst) {
  ScratchFolder folder = *ScratchFolder::Create();
  const auto path = folder.path() / "s";
  auto socket = ListeningSocket::Bind({.path = path, .type = SOCK_STREAM});
  ASSERT_TRUE(socket.ok());
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::ranges::copy(path.native(), address.sun_path);
  std::vector<Descriptor> callers;
  size_t waiting = 0;
  for (int i = 0; i < 80; ++i) {
    callers.emplace_back(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0));
    const int failed =
        connect(callers.back().number(), reinterpret_cast<sockaddr*>(&address),
                sizeof address);
    if (failed == 0) ++waiting;
  }
  EXPECT_EQ(waiting, 65u);
}

}  // namespace
}  // namespace mete
