// The body of a request in a file without a name, for bodies too large for
// memory.
#pragma once

#include <filesystem>
#include <string_view>

#include "support/descriptor.h"
#include "support/result.h"

namespace mete {

// Written in pieces, then read as a whole. The file disappears with its owner,
// even if the program is killed.
class SpooledBody {
 public:
  static Result<SpooledBody> Create(const std::filesystem::path& folder);
  SpooledBody(SpooledBody&& other) noexcept;
  SpooledBody& operator=(SpooledBody&& other) = delete;
  ~SpooledBody();

  Status Append(std::string_view piece);
  // Maps the file. Nothing can be appended after that.
  Status Finish();

  size_t size() const { return size_; }
  // Valid after Finish, as long as this object exists.
  std::string_view Content() const;

 private:
  explicit SpooledBody(Descriptor file) : file_(std::move(file)) {}

  Descriptor file_;
  size_t size_ = 0;
  void* mapped_ = nullptr;
};

}  // namespace mete
