#include "cli/output.h"

#include <fmt/format.h>

#include <ostream>

#include "flags/usage.h"
#include "support/check.h"
#include "support/json.h"
#include "support/text.h"

namespace mete {
namespace {

// Names come from untrusted files. Control characters are printed as \x1b so
// that they cannot control the terminal.
std::string Printable(const std::string& text, std::string_view kept) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string printable;
  for (char c : text) {
    auto code = static_cast<unsigned char>(c);
    bool control =
        (code < 0x20 || code == 0x7F) && kept.find(c) == std::string_view::npos;
    if (!control) {
      printable += c;
      continue;
    }
    printable += "\\x";
    printable += kDigits[code >> 4];
    printable += kDigits[code & 15];
  }
  return printable;
}

// Below this, wrapping makes messages harder to read than the terminal does.
constexpr int kNarrowest = 20;

}  // namespace

std::string ForTerminal(const std::string& text,
                        const Console::Terminal& terminal) {
  std::string printable = Printable(text, "");
  // Files and pipes keep one line per message: scripts search them.
  if (!terminal.interactive || terminal.columns < kNarrowest) {
    return printable + '\n';
  }
  auto columns = static_cast<size_t>(terminal.columns);
  return fmt::format("{}\n", fmt::join(WrapLines(printable, columns), "\n"));
}

OutputFormat ParseOutputFormat(const std::string& name) {
  if (name == "json") return OutputFormat::kJson;
  if (name == "csv") return OutputFormat::kCsv;
  CHECK(name == "table") << "an unchecked output format: " << name;
  return OutputFormat::kTable;
}

void Output::Print(const Renderings& renderings) {
  switch (format_) {
    case OutputFormat::kTable:
      stream_ << Printable(renderings.text(), "\n");
      break;
    case OutputFormat::kJson:
      stream_ << DumpJson(renderings.json()) << '\n';
      break;
    case OutputFormat::kCsv:
      stream_ << renderings.csv();
      break;
  }
  stream_.flush();
}

void Output::PrintText(const std::string& text) {
  stream_ << text;
  stream_.flush();
}

bool Output::complete() const { return stream_.good(); }

void Console::Error(const std::string& message) {
  Line(WithProgramName("mete", message));
}

void Console::Warn(const std::string& message) {
  if (verbosity_ != Verbosity::kQuiet) Line("warning: " + message);
}

void Console::Note(const std::string& message) {
  if (verbosity_ != Verbosity::kQuiet) Line(message);
}

void Console::Detail(const std::string& message) {
  if (verbosity_ == Verbosity::kVerbose) Line(message);
}

void Console::Progress(const std::string& message) {
  if (!terminal_.interactive || verbosity_ == Verbosity::kQuiet) return;
  // One column is left free: a full line would wrap on some terminals.
  std::string shown =
      message.substr(0, static_cast<size_t>(terminal_.columns - 1));
  stream_ << "\r\033[K" << shown;
  stream_.flush();
  progress_shown_ = true;
}

void Console::ClearProgress() {
  if (!progress_shown_) return;
  stream_ << "\r\033[K";
  stream_.flush();
  progress_shown_ = false;
}

void Console::Line(const std::string& text) {
  ClearProgress();
  stream_ << ForTerminal(text, terminal_);
  stream_.flush();
}

}  // namespace mete
