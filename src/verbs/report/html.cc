#include "report/html.h"

#include <array>

#include "report/page_files.h"
#include "support/json.h"
#include "support/text.h"

namespace mete {
namespace {

constexpr std::array<std::string_view, 9> kUnits = {
    "KiB", "MiB", "GiB", "TiB", "B", "s", "ms", "us", "ns"};
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

std::string_view Safe(std::string_view character) {
  switch (character[0]) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    case '\t':
    case '\n':
      return character;
    default:
      break;
  }
  auto code = static_cast<unsigned char>(character[0]);
  return code < 0x20 || code == 0x7F ? "" : character;
}

void ReplaceAll(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

}  // namespace

std::string Escaped(std::string_view text) {
  std::string safe;
  while (!text.empty()) {
    size_t length = CharacterLength(text);
    safe += length == 0 ? kReplacement : Safe(text.substr(0, length));
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return safe;
}

std::string EscapedProse(std::string_view text) {
  std::string safe = Escaped(text);
  ReplaceAll(safe, " %", "\xC2\xA0%");
  // Keep a digit and its unit together.
  for (size_t at = safe.find(' '); at != std::string::npos;
       at = safe.find(' ', at + 1)) {
    bool digit = at > 0 && safe[at - 1] >= '0' && safe[at - 1] <= '9';
    if (!digit) continue;
    for (std::string_view unit : kUnits) {
      if (std::string_view(safe).substr(at + 1).starts_with(unit)) {
        safe.replace(at, 1, "\xC2\xA0");
        break;
      }
    }
  }
  return safe;
}

std::string PageHead(std::string_view title,
                     const std::vector<std::string_view>& styles) {
  std::string html =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n"
      "<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
      "'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src "
      "data:\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n";
  html += "<title>" + Escaped(title) + "</title>\n<style>\n";
  for (std::string_view style : styles) {
    html += style;
    html += "\n";
  }
  return html + "</style>\n</head>\n";
}

std::string ChartLicence() {
  std::string html = "<details><summary>Charts by uPlot</summary><pre>";
  html += Escaped(kUplotLicence);
  return html + "</pre></details>\n";
}

std::string ChartScripts() {
  std::string html = "<script>\n";
  html += kUplotScript;
  html += "\n</script>\n<script>\n";
  html += kPageScript;
  return html + "</script>\n";
}

std::string ScriptJson(const Json& json) {
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  // In JSON these characters occur only within strings.
  ReplaceAll(text, "<", "\\u003c");
  ReplaceAll(text, ">", "\\u003e");
  ReplaceAll(text, "&", "\\u0026");
  ReplaceAll(text, "\xE2\x80\xA8", "\\u2028");
  ReplaceAll(text, "\xE2\x80\xA9", "\\u2029");
  return text;
}

}  // namespace mete
