// A log file that cannot fill the disk.
#pragma once

#include <filesystem>
#include <string_view>

#include "support/descriptor.h"
#include "support/result.h"
#include "support/units.h"

namespace mete {

// Appends to FILE; at half the cap FILE becomes FILE.1 and a new FILE begins,
// so that both together never exceed the cap and the newest text is always
// there. One thread at a time.
class CappedLog {
 public:
  static Result<CappedLog> Open(std::filesystem::path file, Bytes cap);

  // A write that fails (a full disk) is told by status() and ends the log; the
  // application it belongs to goes on.
  void Write(std::string_view text);
  const Status& status() const { return status_; }
  bool rotated() const { return rotated_; }

 private:
  CappedLog(std::filesystem::path file, Bytes cap, Descriptor descriptor)
      : path_(std::move(file)),
        half_(cap.count / 2),
        file_(std::move(descriptor)) {}
  void Rotate();

  std::filesystem::path path_;
  uint64_t half_;
  Descriptor file_;
  uint64_t size_ = 0;
  bool rotated_ = false;
  Status status_;
};

}  // namespace mete
