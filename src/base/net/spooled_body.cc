#include "net/spooled_body.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <utility>

#include "support/file.h"
#include "support/private_folder.h"

namespace mete {

Result<SpooledBody> SpooledBody::Create(const std::filesystem::path& folder) {
  RETURN_IF_ERROR(MakePrivateFolder(folder));
  Descriptor file(open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (!file.open()) {  // not every file system has O_TMPFILE
    std::string name = (folder / "body.XXXXXX").string();
    file = Descriptor(mkostemp(name.data(), O_CLOEXEC));
    if (!file.open()) return SystemError("write to " + folder.string(), errno);
    unlink(name.c_str());
  }
  return SpooledBody(std::move(file));
}

SpooledBody::SpooledBody(SpooledBody&& other) noexcept
    : file_(std::move(other.file_)),
      size_(std::exchange(other.size_, 0)),
      mapped_(std::exchange(other.mapped_, nullptr)) {}

SpooledBody::~SpooledBody() {
  if (mapped_ != nullptr) munmap(mapped_, size_);
}

Status SpooledBody::Append(std::string_view piece) {
  RETURN_IF_ERROR(WriteAll(file_.number(), piece));
  size_ += piece.size();
  return {};
}

Status SpooledBody::Finish() {
  if (size_ == 0) return {};
  void* mapped = mmap(nullptr, size_, PROT_READ, MAP_SHARED, file_.number(), 0);
  if (mapped == MAP_FAILED) return SystemError("read a body", errno);
  mapped_ = mapped;
  return {};
}

std::string_view SpooledBody::Content() const {
  return {static_cast<const char*>(mapped_), mapped_ == nullptr ? 0 : size_};
}

}  // namespace mete
