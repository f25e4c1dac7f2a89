// Records which files processes open, to know what to evict from the page
// cache before the next run.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "linux/system_root.h"
#include "support/descriptor.h"

namespace mete {

// With root's rights, the kernel reports every file that is opened (fanotify).
// Otherwise only the files that are mapped when somebody looks are known.
// Never opens the files themselves: closing one would drop the locks that this
// process holds on it, such as those of a database.
class OpenedFiles {
 public:
  // Whether the files of a running process should be recorded. Called on
  // another thread. Files of processes that ended before they were looked at
  // are recorded too.
  using IsMember = std::function<bool(pid_t)>;
  OpenedFiles(const SystemRoot& root, IsMember is_member);
  OpenedFiles(const OpenedFiles&) = delete;
  OpenedFiles& operator=(const OpenedFiles&) = delete;
  ~OpenedFiles();

  // True if files are reported when they are opened.
  bool complete() const { return events_.open(); }
  // Adds the files that these processes have mapped now.
  void LookAtMappings(const std::vector<pid_t>& processes);
  // Regular files that still exist, sorted.
  std::vector<std::filesystem::path> Files();

 private:
  // A file system that is followed, and a descriptor to find its folders by.
  struct FileSystem {
    uint64_t id = 0;
    Descriptor mount;
  };
  void OpenEvents();
  void ReadEvents();
  void ReadEvents(std::string_view events);
  // The path in an event; empty if its folder is gone.
  std::string FindPath(const char* info) const;
  void FollowEvents(const std::stop_token& stop);

  SystemRoot root_;
  IsMember is_member_;
  Descriptor events_;
  std::vector<FileSystem> file_systems_;
  Descriptor wake_;
  std::mutex mutex_;
  std::set<std::string> files_;
  std::jthread follower_;
};

}  // namespace mete
