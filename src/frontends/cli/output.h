// Output of a command: the result goes to stdout as a table, JSON or CSV;
// messages go to stderr.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

#include "support/json_fwd.h"
#include "support/table.h"

namespace mete {

// The format of the result on stdout (-o).
enum class OutputFormat { kTable, kJson, kCsv };

// Converts a validated setting: "table", "json" or "csv".
OutputFormat ParseOutputFormat(const std::string& name);

// The three renderings of one result. Only the selected one is made.
struct Renderings {
  std::function<std::string()> text;
  std::function<Json()> json;
  std::function<std::string()> csv;
};

// Where stdout leads.
enum class OutputTarget { kFile, kTerminal };

// Writes the result to stdout in the selected format. Names come from untrusted
// files: on a terminal, control characters are escaped in every format.
class Output {
 public:
  Output(std::ostream& stream, OutputFormat format,
         OutputTarget target = OutputTarget::kFile)
      : stream_(stream), format_(format), target_(target) {}

  OutputFormat format() const { return format_; }
  void Print(const Renderings& renderings);
  // Writes the text as it is, in any format, at once.
  void PrintText(const std::string& text);
  // Returns whether everything was written. False if the disk is full.
  bool complete() const;

 private:
  std::ostream& stream_;
  OutputFormat format_;
  OutputTarget target_;
};

// How much a Console prints (-q, -v).
enum class Verbosity { kQuiet, kNormal, kVerbose };

// Prints notes, warnings and progress to stderr. The progress line is drawn
// only on a terminal and cleared before any other message.
class Console {
 public:
  // Properties of stderr that decide the layout.
  struct Terminal {
    bool interactive = false;  // stderr is a terminal
    int columns = 80;
  };

  Console(std::ostream& stream, Verbosity verbosity, Terminal terminal)
      : stream_(stream), verbosity_(verbosity), terminal_(terminal) {}
  ~Console() { ClearProgress(); }
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  // "mete: …", always. A message may begin with its command: "mete runs: …".
  void Error(const std::string& message);
  void Warn(const std::string& message);      // unless quiet
  void Note(const std::string& message);      // unless quiet
  void Detail(const std::string& message);    // only with -v
  void Progress(const std::string& message);  // only on a terminal
  void ClearProgress();

  bool quiet() const { return verbosity_ == Verbosity::kQuiet; }

 private:
  void Line(const std::string& text);

  std::ostream& stream_;
  Verbosity verbosity_;
  Terminal terminal_;
  bool progress_shown_ = false;
};

// Formats a message for stderr: wraps it to the width of the terminal, if there
// is one, escapes control characters and adds the line end.
std::string ForTerminal(const std::string& text,
                        const Console::Terminal& terminal);

}  // namespace mete
