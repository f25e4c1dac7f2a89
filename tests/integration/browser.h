// Opens a page in a headless Chromium.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "support/file.h"

namespace mete {

// Returns the first browser found on PATH; "" if there is none.
inline std::string FindBrowser(const std::filesystem::path& scratch) {
  std::string out = (scratch / "browser").string();
  std::string command =
      "command -v chromium chromium-browser google-chrome >" + out;
  static_cast<void>(std::system(command.c_str()));
  std::string found = ReadFile(out).value();
  return found.substr(0, found.find('\n'));
}

// Returns the page after its scripts have run.
inline std::string Opened(const std::string& browser,
                          const std::filesystem::path& page,
                          const std::filesystem::path& scratch) {
  std::filesystem::path out = scratch / "dom.html";
  std::string command = "timeout 60 " + browser +
                        " --headless --no-sandbox --disable-gpu --no-first-run"
                        " --disable-dev-shm-usage --user-data-dir='" +
                        (scratch / "profile").string() +
                        "' --dump-dom 'file://" + page.string() + "' >'" +
                        out.string() + "' 2>/dev/null";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  return ReadFile(out).value();
}

// Searches the page without printing its 200 KB on failure.
inline bool Has(const std::string& page, const std::string& text) {
  return page.find(text) != std::string::npos;
}

}  // namespace mete
