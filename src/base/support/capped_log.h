// A log file of limited size.
#pragma once

#include <filesystem>
#include <string_view>

#include "support/descriptor.h"
#include "support/result.h"
#include "support/units.h"

namespace mete {

// Appends to FILE. At half the cap FILE is renamed to FILE.1 and a new FILE
// begins, so both together never exceed the cap and always contain the newest
// text. Not thread-safe.
class CappedLog {
 public:
  static Result<CappedLog> Open(std::filesystem::path file, Bytes cap);

  // When a write fails (disk full), status() has the error and logging ends;
  // the application whose output it was continues.
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
