#include "linux/pooled_cgroup_files.h"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>

namespace mete {

PooledCgroupFiles::PooledCgroupFiles(const CgroupTrees& trees,
                                     CgroupFilePool& pool, std::string folder,
                                     std::vector<GroupElsewhere> elsewhere)
    : trees_(&trees),
      pool_(&pool),
      folder_(std::move(folder)),
      elsewhere_(std::move(elsewhere)) {}

PooledCgroupFiles::~PooledCgroupFiles() { pool_->descriptors += Kept(); }

size_t PooledCgroupFiles::Kept() const {
  return static_cast<size_t>(std::ranges::count_if(
      known_, [](const Known& known) { return known.file.open(); }));
}

int PooledCgroupFiles::VersionFor(CgroupPart part) const {
  const CgroupTree* tree = trees_->Of(part);
  return tree == nullptr ? 0 : tree->version;
}

Descriptor PooledCgroupFiles::Open(CgroupPart part,
                                   std::string_view name) const {
  const CgroupTree* tree = trees_->Of(part);
  if (tree == nullptr) return Descriptor();
  auto other = std::ranges::find(elsewhere_, part, &GroupElsewhere::part);
  std::string_view folder = other == elsewhere_.end() ? folder_ : other->folder;
  std::array<char, PATH_MAX> path;
  if (folder.size() + name.size() + 2 > path.size()) return Descriptor();
  std::memcpy(path.data(), folder.data(), folder.size());
  path[folder.size()] = '/';
  std::memcpy(path.data() + folder.size() + 1, name.data(), name.size());
  path[folder.size() + 1 + name.size()] = '\0';
  return Descriptor(
      openat(tree->folder.number(), path.data(), O_RDONLY | O_CLOEXEC));
}

// The kernel returns such a file in one piece: if it is shorter than the
// buffer, it is complete and needs no second read.
bool PooledCgroupFiles::Fill(const Descriptor& file) {
  std::string& buffer = pool_->buffer;
  while (true) {
    ssize_t got = pread(file.number(), buffer.data(), buffer.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    length_ = static_cast<size_t>(got);
    if (length_ < buffer.size()) return true;
    buffer.resize(2 * buffer.size());
  }
}

void PooledCgroupFiles::Remember(std::string_view name, Descriptor file) {
  if (file.open()) {
    if (pool_->descriptors == 0 || Kept() >= pool_->most_each) return;
    --pool_->descriptors;
    // Leave the low numbers to others: linux/watched_file.h keeps no file open
    // that has a high number.
    constexpr int kFirstHigh = 513;
    Descriptor high(fcntl(file.number(), F_DUPFD_CLOEXEC, kFirstHigh));
    if (high.open()) file = std::move(high);
  }
  known_.push_back({name, std::move(file)});
}

std::optional<std::string_view> PooledCgroupFiles::Text(CgroupPart part,
                                                        std::string_view name) {
  auto text = [&] {
    return std::string_view(pool_->buffer).substr(0, length_);
  };
  auto known = std::ranges::find(known_, name, &Known::name);
  if (known != known_.end()) {
    if (!known->file.open()) return std::nullopt;
    if (Fill(known->file)) return text();
    // The cgroup is gone (ENODEV); another may have the same name now.
    known_.erase(known);
    ++pool_->descriptors;
  }
  Descriptor file = Open(part, name);
  if (file.open() && !Fill(file)) file.Close();
  const bool filled = file.open();
  Remember(name, std::move(file));
  if (!filled) return std::nullopt;
  return text();
}

PooledCgroupFiles PooledCgroupFiles::In(CgroupFilePool& pool) const {
  return PooledCgroupFiles(*trees_, pool, folder_, elsewhere_);
}

void PooledCgroupFiles::LookAgain(std::vector<GroupElsewhere> elsewhere) {
  elsewhere_ = std::move(elsewhere);
  std::erase_if(known_, [](const Known& known) { return !known.file.open(); });
}

}  // namespace mete
