// stdout is the result: a table, JSON or CSV. stderr is talk.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

#include "support/json_fwd.h"
#include "support/table.h"

namespace mete {

enum class OutputFormat { kTable, kJson, kCsv };

// From a checked setting: "table", "json" or "csv".
OutputFormat ParseOutputFormat(const std::string& name);

// The three renderings of one result; only the one asked for is made.
struct Renderings {
  std::function<std::string()> text;
  std::function<Json()> json;
  std::function<std::string()> csv;
};

// Writes the result to stdout in the format asked for.
class Output {
 public:
  Output(std::ostream& stream, OutputFormat format)
      : stream_(stream), format_(format) {}

  OutputFormat format() const { return format_; }
  void Print(const Renderings& renderings);
  // As it is, whatever the format.
  void PrintText(const std::string& text);
  // Whether all of it could be written: a full disk shows here.
  bool complete() const;

 private:
  std::ostream& stream_;
  OutputFormat format_;
};

enum class Verbosity { kQuiet, kNormal, kVerbose };

// Notes, warnings and progress on stderr. A progress line is only drawn on a
// terminal, and is wiped before anything else is said.
class Console {
 public:
  struct Terminal {
    bool interactive = false;  // stderr is a terminal
    int columns = 80;
  };

  Console(std::ostream& stream, Verbosity verbosity, Terminal terminal)
      : stream_(stream), verbosity_(verbosity), terminal_(terminal) {}
  ~Console() { ClearProgress(); }
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  void Error(const std::string& message);     // "mete: …", always
  void Warn(const std::string& message);      // unless quiet
  void Note(const std::string& message);      // unless quiet
  void Detail(const std::string& message);    // only with -v
  void Progress(const std::string& message);  // only on a terminal
  void ClearProgress();

 private:
  void Line(const std::string& text);

  std::ostream& stream_;
  Verbosity verbosity_;
  Terminal terminal_;
  bool progress_shown_ = false;
};

// A message as it is written to stderr: wrapped to the terminal's width where
// there is one, without control characters, with its line end.
std::string ForTerminal(const std::string& text,
                        const Console::Terminal& terminal);

}  // namespace mete
