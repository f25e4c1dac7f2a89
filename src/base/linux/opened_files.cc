#include "linux/opened_files.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/fanotify.h>

#include <array>

#include "linux/mount_table.h"
#include "linux/scan.h"

namespace mete {
namespace {

// More would be a mistake, such as a search through the whole disk.
constexpr size_t kMostFiles = 20'000;

// Follows every mounted file system that is on storage. Not open without the
// right to.
Descriptor OpenEvents(const SystemRoot& root) {
  Descriptor events(
      fanotify_init(FAN_CLASS_NOTIF | FAN_CLOEXEC | FAN_NONBLOCK,
                    O_RDONLY | O_CLOEXEC | O_LARGEFILE | O_NOATIME));
  if (!events.open()) return events;
  bool any = false;
  for (const MountedFileSystem& mounted : ReadMounts(root)) {
    const bool on_storage =
        mounted.device.starts_with("/dev/") || mounted.type == "overlay";
    if (!on_storage) continue;
    any |= fanotify_mark(events.number(), FAN_MARK_ADD | FAN_MARK_FILESYSTEM,
                         FAN_OPEN, AT_FDCWD, mounted.point.c_str()) == 0;
  }
  if (!any) events.Close();
  return events;
}

std::string ReadLink(const std::string& link) {
  std::error_code error;
  auto target = std::filesystem::read_symlink(link, error);
  return error ? std::string() : target.string();
}

}  // namespace

OpenedFiles::OpenedFiles(const SystemRoot& root, IsMember is_member)
    : root_(root),
      is_member_(std::move(is_member)),
      events_(OpenEvents(root)),
      wake_(eventfd(0, EFD_CLOEXEC)) {
  if (!events_.open()) return;
  follower_ =
      std::jthread([this](const std::stop_token& stop) { FollowEvents(stop); });
}

OpenedFiles::~OpenedFiles() {
  follower_.request_stop();
  eventfd_write(wake_.number(), 1);
}

void OpenedFiles::FollowEvents(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    std::array<pollfd, 2> waiting = {
        {{.fd = events_.number(), .events = POLLIN, .revents = 0},
         {.fd = wake_.number(), .events = POLLIN, .revents = 0}}};
    poll(waiting.data(), waiting.size(), -1);
    ReadEvents();
  }
}

void OpenedFiles::ReadEvents() {
  alignas(fanotify_event_metadata) std::array<char, 65536> buffer;
  std::lock_guard lock(mutex_);
  while (true) {
    ssize_t got = read(events_.number(), buffer.data(), buffer.size());
    if (got <= 0) return;
    const auto* event =
        reinterpret_cast<const fanotify_event_metadata*>(buffer.data());
    for (; FAN_EVENT_OK(event, got); event = FAN_EVENT_NEXT(event, got)) {
      Descriptor opened(event->fd);  // -1 after an overflow of the queue
      if (!opened.open() || files_.size() >= kMostFiles) continue;
      if (!is_member_(event->pid)) continue;
      files_.insert(
          ReadLink("/proc/self/fd/" + std::to_string(opened.number())));
    }
  }
}

void OpenedFiles::LookAtMappings(const std::vector<pid_t>& processes) {
  std::lock_guard lock(mutex_);
  for (pid_t pid : processes) {
    // "7f00-7f10 r-xp 00000000 08:01 1234   /usr/lib/libc.so.6"
    std::string maps =
        root_.TextOrNone("/proc/" + std::to_string(pid) + "/maps");
    std::string_view text = maps;
    while (auto line = TakeLine(text)) {
      const size_t slash = line->find('/');
      if (slash == std::string_view::npos || files_.size() >= kMostFiles) {
        continue;
      }
      files_.emplace(line->substr(slash));
    }
  }
}

std::vector<std::filesystem::path> OpenedFiles::Files() {
  if (events_.open()) ReadEvents();
  std::lock_guard lock(mutex_);
  std::vector<std::filesystem::path> files;
  for (const std::string& name : files_) {
    std::error_code error;
    if (std::filesystem::is_regular_file(name, error)) files.emplace_back(name);
  }
  return files;
}

}  // namespace mete
