#include "linux/opened_files.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/fanotify.h>
#include <sys/vfs.h>

#include <array>
#include <cstddef>
#include <cstring>

#include "linux/mount_table.h"
#include "linux/scan.h"

namespace mete {
namespace {

// More would be a mistake, such as a search through the whole disk.
constexpr size_t kMostFiles = 20'000;

uint64_t ToNumber(const void* id) {
  uint64_t number = 0;
  std::memcpy(&number, id, sizeof(number));  // two integers
  return number;
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
      wake_(eventfd(0, EFD_CLOEXEC)) {
  OpenEvents();
  if (!events_.open()) return;
  follower_ =
      std::jthread([this](const std::stop_token& stop) { FollowEvents(stop); });
}

OpenedFiles::~OpenedFiles() {
  follower_.request_stop();
  eventfd_write(wake_.number(), 1);
}

// Follows every mounted file system that is on storage. Leaves events_ closed
// without the right to.
void OpenedFiles::OpenEvents() {
  events_ = Descriptor(fanotify_init(
      FAN_CLASS_NOTIF | FAN_CLOEXEC | FAN_NONBLOCK | FAN_REPORT_DFID_NAME,
      O_RDONLY));
  if (!events_.open()) return;
  for (const MountedFileSystem& mounted : ReadMounts(root_)) {
    if (!mounted.device.starts_with("/dev/")) continue;
    struct statfs found {};
    Descriptor mount(
        open(mounted.point.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    const bool followed =
        mount.open() && fstatfs(mount.number(), &found) == 0 &&
        fanotify_mark(events_.number(), FAN_MARK_ADD | FAN_MARK_FILESYSTEM,
                      FAN_OPEN, AT_FDCWD, mounted.point.c_str()) == 0;
    if (!followed) continue;
    file_systems_.push_back(
        {.id = ToNumber(&found.f_fsid), .mount = std::move(mount)});
  }
  if (file_systems_.empty()) events_.Close();
}

// An event has the handle of the folder and the name of the file in it.
std::string OpenedFiles::FindPath(const char* info) const {
  fanotify_event_info_fid head{};
  std::memcpy(&head, info, sizeof(head));
  if (head.hdr.info_type != FAN_EVENT_INFO_TYPE_DFID_NAME) return "";
  const char* handle_at = info + offsetof(fanotify_event_info_fid, handle);
  file_handle size{};
  std::memcpy(&size, handle_at, sizeof(size));
  const char* name = handle_at + sizeof(file_handle) + size.handle_bytes;
  std::vector<char> copy(handle_at, name);  // the kernel wants to write to it
  auto* handle = reinterpret_cast<file_handle*>(copy.data());
  for (const FileSystem& system : file_systems_) {
    if (system.id != ToNumber(&head.fsid)) continue;
    Descriptor folder(
        open_by_handle_at(system.mount.number(), handle, O_PATH | O_CLOEXEC));
    if (!folder.open()) continue;
    std::string path =
        ReadLink("/proc/self/fd/" + std::to_string(folder.number()));
    if (path.empty()) continue;
    return path + (path == "/" ? "" : "/") + name;
  }
  return "";
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
  std::array<char, 65536> buffer;
  std::lock_guard lock(mutex_);
  while (true) {
    ssize_t got = read(events_.number(), buffer.data(), buffer.size());
    if (got <= 0) return;
    ReadEvents({buffer.data(), static_cast<size_t>(got)});
  }
}

// Names have any length, so an event may start at any address.
void OpenedFiles::ReadEvents(std::string_view events) {
  fanotify_event_metadata event{};
  while (events.size() >= sizeof(event)) {
    std::memcpy(&event, events.data(), sizeof(event));
    if (event.event_len < sizeof(event) || event.event_len > events.size()) {
      return;
    }
    const char* info = events.data() + event.metadata_len;
    const bool named = event.event_len > event.metadata_len;
    events.remove_prefix(event.event_len);
    if (!named || files_.size() >= kMostFiles || !is_member_(event.pid)) {
      continue;
    }
    if (std::string path = FindPath(info); !path.empty()) {
      files_.insert(std::move(path));
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
