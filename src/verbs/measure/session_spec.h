// A session: several applications measured in one go, described in a file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "measure/application_spec.h"
#include "support/result.h"

namespace mete {

enum class SessionOrder {
  kSequential,  // one after the other, each alone
  kTogether,    // side by side: round by round all start at once
};

// Which files the result has, beside app.log.
struct SessionFormats {
  bool json = true;  // profile.json
  bool csv = true;   // samples.csv
  bool html = true;  // report.html
};

struct SessionSpec {
  std::string name;
  std::vector<ApplicationSpec> applications;  // at least one; names differ
  SessionOrder order = SessionOrder::kSequential;
  SessionFormats formats;
  std::filesystem::path file;  // where it was read
  std::string text;            // as it was written
};

// "sequential", "together".
std::string_view ToString(SessionOrder order);

// Reads YAML; docs/reference/session.md describes every key. Relative paths
// are below the file's folder, where applications also start unless they say
// otherwise. Fails with kInvalidInput and "FILE:LINE: …", or as ReadFile does.
Result<SessionSpec> ReadSession(const std::filesystem::path& file);
Result<SessionSpec> ParseSession(const std::string& text,
                                 const std::filesystem::path& file);

}  // namespace mete
