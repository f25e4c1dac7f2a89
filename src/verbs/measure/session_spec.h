// Describes a session: several applications measured together, as written in a
// YAML file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "measure/application_spec.h"
#include "support/result.h"

namespace mete {

// Whether the applications of a session run at the same time.
enum class SessionOrder {
  kSequential,  // one after the other, each on its own
  kTogether,    // concurrently: each round starts all at once
};

// The files to write in addition to app.log.
struct SessionFormats {
  bool json = true;  // profile.json
  bool csv = true;   // samples.csv
  bool html = true;  // report.html
};

// A session as read from its file.
struct SessionSpec {
  std::string name;
  std::vector<ApplicationSpec> applications;  // at least one, with unique names
  SessionOrder order = SessionOrder::kSequential;
  SessionFormats formats;
  std::filesystem::path file;  // the file it was read from
  std::string text;            // the content of the file
};

// "sequential", "together".
std::string_view ToString(SessionOrder order);

// Reads YAML; docs/reference/session.md describes every key. Relative paths are
// resolved against the file's folder, which is also the default working
// directory. Fails with kInvalidInput and "FILE:LINE: …", or as ReadFile does.
Result<SessionSpec> ReadSession(const std::filesystem::path& file);
Result<SessionSpec> ParseSession(const std::string& text,
                                 const std::filesystem::path& file);

}  // namespace mete
