// Reads the output of a job's application across its runs, while it is being
// written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "support/descriptor.h"
#include "support/result.h"

namespace mete {

// Follows app.log in the folders 1, 2, … of a job. The logs are capped
// (support/capped_log.h): only the newest part of a longer log is available at
// first. A reader that polls misses nothing unless the application writes more
// than the cap between two reads. Not thread-safe.
class JobLog {
 public:
  // The most text that one call returns.
  static constexpr size_t kMost = size_t{64} * 1024;

  // `folder` belongs to the job and need not exist yet. `offset` is the offset
  // of an earlier reader, to resume where it stopped. It counts from the start
  // of what is kept now: if the log has been cut since then, reading resumes
  // later than that, at the latest at the end.
  explicit JobLog(std::filesystem::path folder, uint64_t offset = 0)
      : folder_(std::move(folder)), skip_(offset) {}

  // Returns what was written since the last call; empty when there is nothing
  // new. Never blocks. The text may start or end within a UTF-8 character.
  Result<std::string> Read();
  // The number of bytes read and skipped so far.
  uint64_t offset() const { return offset_; }

 private:
  Result<std::string> ReadOpen();
  Status PassOver();
  Result<bool> FindNext();
  Result<bool> FindFirstOf(uint64_t run);
  Result<bool> OpenNext(const std::filesystem::path& file);

  std::filesystem::path folder_;
  uint64_t skip_;
  uint64_t offset_ = 0;
  uint64_t run_ = 0;  // the run whose log is open; 0 before the first
  Descriptor file_;
  Descriptor next_;  // follows `file_`; read once `file_` is at its end
};

}  // namespace mete
