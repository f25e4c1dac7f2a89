#include "cli/output.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "support/json.h"

namespace mete {
namespace {

TEST(Console, ProgressIsOnlyDrawnOnATerminal) {
  std::ostringstream stream;
  {
    Console console(stream, Verbosity::kNormal, {.interactive = false});
    console.Progress("12 %");
  }
  EXPECT_EQ(stream.str(), "");
}

TEST(Console, ProgressIsClearedBeforeALineIsPrinted) {
  std::ostringstream stream;
  Console console(stream, Verbosity::kNormal,
                  {.interactive = true, .columns = 80});
  console.Progress("12 %");
  console.Note("done");
  EXPECT_EQ(stream.str(), "\r\033[K12 %\r\033[Kdone\n");
}

TEST(Console, ProgressNeverWraps) {
  std::ostringstream stream;
  {
    Console console(stream, Verbosity::kNormal,
                    {.interactive = true, .columns = 5});
    console.Progress("0123456789");
  }
  EXPECT_EQ(stream.str(), "\r\033[K0123\r\033[K");
}

TEST(Console, QuietPrintsOnlyErrors) {
  std::ostringstream stream;
  Console console(stream, Verbosity::kQuiet, {});
  console.Note("a note");
  console.Warn("a warning");
  console.Error("read x: no such file");
  EXPECT_EQ(stream.str(), "mete: read x: no such file\n");
}

TEST(Console, ErrorsNameTheProgramOnce) {
  std::ostringstream stream;
  Console console(stream, Verbosity::kNormal, {});
  console.Error("mete report sweep: --format requires --plots");
  EXPECT_EQ(stream.str(), "mete report sweep: --format requires --plots\n");
}

TEST(Console, ControlCharactersInUntrustedNamesAreEscaped) {
  std::ostringstream stream;
  Console console(stream, Verbosity::kNormal, {});
  console.Error("read a\033[31m\nb.onnx: not found");
  EXPECT_EQ(stream.str(), "mete: read a\\x1b[31m\\x0ab.onnx: not found\n");
}

TEST(Console, ControlCharactersBeyondAsciiAreEscaped) {
  std::ostringstream stream;
  Console console(stream, Verbosity::kNormal, {});
  console.Note(
      "a\xC2\x9B"
      "31m \x9B ±µ");
  EXPECT_EQ(stream.str(), "a\\xc2\\x9b31m \\x9b ±µ\n");
}

// They change the order in which a terminal shows the characters around them.
TEST(Console, CharactersThatReverseTextAreEscaped) {
  std::ostringstream stream;
  Console console(stream, Verbosity::kNormal, {});
  console.Note("a\u202Eb \u2066c\u2069 \u200Fd\u061C \u2028 — €");
  EXPECT_EQ(stream.str(),
            "a\\xe2\\x80\\xaeb \\xe2\\x81\\xa6c\\xe2\\x81\\xa9 "
            "\\xe2\\x80\\x8fd\\xd8\\x9c \\xe2\\x80\\xa8 — €\n");
}

TEST(Console, ControlCharactersInProgressAreEscaped) {
  std::ostringstream stream;
  Console console(stream, Verbosity::kNormal,
                  {.interactive = true, .columns = 80});
  console.Progress("measure a\033[2Jb");
  EXPECT_EQ(stream.str(), "\r\033[Kmeasure a\\x1b[2Jb");
}

TEST(Output, ReportsAFailedWrite) {
  std::ofstream full("/dev/full");
  Output output(full, OutputFormat::kTable);
  output.PrintText("a result");
  EXPECT_FALSE(output.complete());
}

TEST(Output, MakesOnlyTheSelectedRendering) {
  std::ostringstream stream;
  Output output(stream, OutputFormat::kJson);
  output.Print({.text = []() -> std::string { return "not this"; },
                .json =
                    [] {
                      return Json{{"p50", 0.5}};
                    },
                .csv = []() -> std::string { return "nor this"; }});
  EXPECT_EQ(stream.str(), "{\n  \"p50\": 0.5\n}\n");
}

// What a name that could control a terminal becomes.
std::string PrintedName(OutputFormat format, OutputTarget target) {
  std::ostringstream stream;
  std::string name = "a\033[31m\xC2\x9B \u202Eµ";
  Output output(stream, format, target);
  output.Print({.text = [&] { return name; },
                .json =
                    [&] {
                      return Json{{"name", name}};
                    },
                .csv = [&] { return name + "\n"; }});
  return stream.str();
}

TEST(Output, EscapesControlCharactersOnATerminalInEveryFormat) {
  EXPECT_EQ(PrintedName(OutputFormat::kCsv, OutputTarget::kTerminal),
            "a\\x1b[31m\\xc2\\x9b \\xe2\\x80\\xaeµ\n");
  EXPECT_EQ(PrintedName(OutputFormat::kJson, OutputTarget::kTerminal),
            "{\n  \"name\": \"a\\u001b[31m\\u009b \\u202e\\u00b5\"\n}\n");
  EXPECT_EQ(PrintedName(OutputFormat::kTable, OutputTarget::kTerminal),
            "a\\x1b[31m\\xc2\\x9b \\xe2\\x80\\xaeµ");
}

TEST(Output, DoesNotChangeNamesInCsvFiles) {
  EXPECT_EQ(PrintedName(OutputFormat::kCsv, OutputTarget::kFile),
            "a\033[31m\xC2\x9B \u202Eµ\n");
}

TEST(Messages, AreWrappedToTheWidthOfATerminal) {
  EXPECT_EQ(ForTerminal("mete: one two three four five six",
                        {.interactive = true, .columns = 20}),
            "mete: one two three\nfour five six\n");
}

TEST(Messages, StayOnOneLineInFilesAndPipes) {
  std::string message(200, 'x');
  EXPECT_EQ(ForTerminal(message, {.interactive = false, .columns = 20}),
            message + "\n");
}

}  // namespace
}  // namespace mete
