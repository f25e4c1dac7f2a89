#include "cli/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ostream>

#include "flags/usage.h"
#include "support/check.h"
#include "support/json.h"
#include "support/text.h"

namespace mete {
namespace {

// Marks, embeddings, overrides and isolates of text from right to left, and
// separators of lines and paragraphs: a name could look like another one.
constexpr std::array<std::string_view, 14> kReordering = {
    "\xD8\x9C",      // U+061C
    "\xE2\x80\x8E",  // U+200E and the next
    "\xE2\x80\x8F",
    "\xE2\x80\xA8",  // U+2028 to U+202E
    "\xE2\x80\xA9", "\xE2\x80\xAA", "\xE2\x80\xAB",
    "\xE2\x80\xAC", "\xE2\x80\xAD", "\xE2\x80\xAE",
    "\xE2\x81\xA6",  // U+2066 to U+2069
    "\xE2\x81\xA7", "\xE2\x81\xA8", "\xE2\x81\xA9"};

// Of the characters below U+00A0, the second half are control characters, too:
// some terminals read U+009B like escape and [.
bool IsControl(std::string_view character) {
  const auto first = static_cast<unsigned char>(character.front());
  if (character.size() == 1) return first < 0x20 || first >= 0x7F;
  return (first == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0) ||
         std::ranges::count(kReordering, character) > 0;
}

// Names come from untrusted files. Control characters and bytes that are not
// UTF-8 are printed as \x1b so that they cannot control the terminal.
std::string Printable(const std::string& text, std::string_view kept) {
  std::string printable;
  for (std::string_view rest = text; !rest.empty();) {
    std::string_view character =
        rest.substr(0, std::max<size_t>(CharacterLength(rest), 1));
    rest.remove_prefix(character.size());
    if (!IsControl(character) || kept.find(character) != kept.npos) {
      printable += character;
      continue;
    }
    for (char byte : character) {
      printable += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    }
  }
  return printable;
}

// Escapes what is not ASCII if some of it could control a terminal.
std::string JsonFor(OutputTarget target, const Json& json) {
  std::string text = DumpJson(json);
  if (target == OutputTarget::kFile || Printable(text, "\n") == text) {
    return text;
  }
  return json.dump(2, ' ', true, Json::error_handler_t::replace);
}

std::string CsvFor(OutputTarget target, const std::string& text) {
  return target == OutputTarget::kFile ? text : Printable(text, "\n");
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
      stream_ << JsonFor(target_, renderings.json()) << '\n';
      break;
    case OutputFormat::kCsv:
      stream_ << CsvFor(target_, renderings.csv());
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
      Printable(message, "")
          .substr(0, static_cast<size_t>(terminal_.columns - 1));
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
