#include "linux/unread_input.h"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace mete {

bool HasUnreadInput(int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0) return false;
  if (S_ISREG(status.st_mode)) {
    return lseek(descriptor, 0, SEEK_CUR) < status.st_size;
  }
  if (!S_ISFIFO(status.st_mode) && !S_ISSOCK(status.st_mode)) return false;
  pollfd wait{.fd = descriptor, .events = POLLIN, .revents = 0};
  return poll(&wait, 1, 0) == 1 && (wait.revents & POLLIN) != 0;
}

}  // namespace mete
