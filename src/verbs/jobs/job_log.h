// What a job's application wrote, run after run, while it still writes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "support/descriptor.h"
#include "support/result.h"

namespace mete {

// Follows app.log in the folders 1, 2, … of a job. The logs are capped
// (support/capped_log.h): of a run that wrote more only the newest is there to
// begin with. A reader that looks once in a while misses nothing unless the
// application writes more than the cap in between. One thread at a time.
class JobLog {
 public:
  // Text one call gives at most.
  static constexpr size_t kMost = size_t{64} * 1024;

  // `folder` is the job's; it need not exist yet. `offset` is that of an
  // earlier reader, to go on behind it. It counts from the beginning of what
  // is kept now: when the log was cut since, the reader goes on further
  // behind, at the end at the latest.
  explicit JobLog(std::filesystem::path folder, uint64_t offset = 0)
      : folder_(std::move(folder)), skip_(offset) {}

  // What was written since the last call; empty when there is nothing new. It
  // never waits. The text may begin and end within a character.
  Result<std::string> Read();
  // How much has been read and passed over.
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
  uint64_t run_ = 0;  // whose log is open; 0 before the first
  Descriptor file_;
  Descriptor next_;  // behind `file_`, to be read once that is at its end
};

}  // namespace mete
