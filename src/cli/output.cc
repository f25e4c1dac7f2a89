#include "cli/output.h"

#include <ostream>

#include "support/check.h"

namespace mete {

OutputFormat ParseOutputFormat(const std::string& name) {
  if (name == "json") return OutputFormat::kJson;
  if (name == "csv") return OutputFormat::kCsv;
  CHECK(name == "table") << "an unchecked output format: " << name;
  return OutputFormat::kTable;
}

void Output::Print(const Renderings& renderings) {
  switch (format_) {
    case OutputFormat::kTable:
      stream_ << renderings.text();
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

void Talk::Error(const std::string& message) { Line("mete: " + message); }

void Talk::Warn(const std::string& message) {
  if (verbosity_ != Verbosity::kQuiet) Line("warning: " + message);
}

void Talk::Note(const std::string& message) {
  if (verbosity_ != Verbosity::kQuiet) Line(message);
}

void Talk::Detail(const std::string& message) {
  if (verbosity_ == Verbosity::kVerbose) Line(message);
}

void Talk::Progress(const std::string& message) {
  if (!terminal_.interactive || verbosity_ == Verbosity::kQuiet) return;
  // One column is left free: a full line would wrap on some terminals.
  std::string shown =
      message.substr(0, static_cast<size_t>(terminal_.columns - 1));
  stream_ << "\r\033[K" << shown;
  stream_.flush();
  progress_shown_ = true;
}

void Talk::ClearProgress() {
  if (!progress_shown_) return;
  stream_ << "\r\033[K";
  stream_.flush();
  progress_shown_ = false;
}

void Talk::Line(const std::string& text) {
  ClearProgress();
  stream_ << text << '\n';
  stream_.flush();
}

}  // namespace mete
