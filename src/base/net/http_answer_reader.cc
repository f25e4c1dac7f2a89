#include "net/http_answer_reader.h"

#include <algorithm>
#include <charconv>

#include "support/parse_number.h"

namespace mete {
namespace {

// Of all lines of a response together. Servers send less than 8 KiB.
constexpr size_t kLongestAnswerHead = 64 * 1024;

bool EqualsIgnoringCase(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                    [](char a, char b) {
                      return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b;
                    });
}

std::string_view FieldValue(std::string_view text) {
  size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// Whether a comma-separated list contains the word.
bool ListContains(std::string_view list, std::string_view word) {
  for (;;) {
    size_t end = list.find(',');
    if (EqualsIgnoringCase(FieldValue(list.substr(0, end)), word)) return true;
    if (end == std::string_view::npos) return false;
    list.remove_prefix(end + 1);
  }
}

}  // namespace

void HttpAnswerReader::Start(bool to_head_request) {
  part_ = Part::kStatusLine;
  to_head_request_ = to_head_request;
  keep_alive_ = true;
  chunked_ = false;
  has_length_ = false;
  status_ = 0;
  remaining_ = 0;
  body_bytes_ = 0;
  head_bytes_ = 0;
  line_.clear();
  timing_ = {};
}

HttpAnswerReader::State HttpAnswerReader::state() const {
  if (part_ == Part::kDone) return State::kDone;
  return part_ == Part::kBad ? State::kBad : State::kReading;
}

size_t HttpAnswerReader::Take(std::string_view bytes) {
  size_t taken = 0;
  while (taken < bytes.size() && state() == State::kReading) {
    std::string_view rest = bytes.substr(taken);
    switch (part_) {
      case Part::kBody:
      case Part::kBodyToTheEnd:
      case Part::kChunk:
        taken += TakeBodyPart(rest);
        break;
      default:
        taken += TakeLinePart(rest);
    }
  }
  return taken;
}

void HttpAnswerReader::TakeEnd() {
  if (part_ == Part::kBodyToTheEnd) part_ = Part::kDone;
}

size_t HttpAnswerReader::TakeLinePart(std::string_view bytes) {
  size_t end = bytes.find('\n');
  size_t length = end == std::string_view::npos ? bytes.size() : end + 1;
  if (part_ != Part::kChunkSize && part_ != Part::kChunkEnd) {
    head_bytes_ += length;
  }
  if (head_bytes_ > kLongestAnswerHead ||
      line_.size() + length > kLongestAnswerHead) {
    part_ = Part::kBad;
    return length;
  }
  std::string_view line = bytes.substr(0, length);
  if (!line_.empty() || end == std::string_view::npos) {
    line_.append(line);
    line = line_;
  }
  if (end == std::string_view::npos) return length;
  line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  TakeLine(line);
  line_.clear();
  return length;
}

void HttpAnswerReader::TakeLine(std::string_view line) {
  switch (part_) {
    case Part::kStatusLine:
      return TakeStatusLine(line);
    case Part::kField:
      return line.empty() ? EndHead() : TakeField(line);
    case Part::kChunkSize:
      return TakeChunkSize(line);
    case Part::kChunkEnd:
      part_ = line.empty() ? Part::kChunkSize : Part::kBad;
      return;
    default:  // a trailer
      if (line.empty()) part_ = Part::kDone;
  }
}

// "HTTP/1.1 200 OK"
void HttpAnswerReader::TakeStatusLine(std::string_view line) {
  part_ = Part::kBad;
  constexpr size_t kVersion = 8;  // "HTTP/1.1"
  constexpr size_t kEnd = 12;     // of the three digits after a blank
  if (!line.starts_with("HTTP/1.") || line.size() < kEnd) return;
  char minor = line[kVersion - 1];
  if (minor < '0' || minor > '9' || line[kVersion] != ' ') return;
  if (line.size() > kEnd && line[kEnd] != ' ') return;
  auto status = ParseNumber<int>(line.substr(kVersion + 1, 3));
  if (!status || *status < 100) return;
  status_ = *status;
  keep_alive_ = minor != '0';
  part_ = Part::kField;
}

void HttpAnswerReader::TakeField(std::string_view line) {
  size_t colon = line.find(':');
  if (colon == std::string_view::npos || colon == 0) {
    part_ = Part::kBad;
    return;
  }
  std::string_view name = line.substr(0, colon);
  std::string_view value = FieldValue(line.substr(colon + 1));
  if (EqualsIgnoringCase(name, "content-length")) {
    TakeLength(value);
  } else if (EqualsIgnoringCase(name, "transfer-encoding")) {
    chunked_ = ListContains(value, "chunked");
  } else if (EqualsIgnoringCase(name, "connection")) {
    if (ListContains(value, "close")) keep_alive_ = false;
    if (ListContains(value, "keep-alive")) keep_alive_ = true;
  } else if (EqualsIgnoringCase(name, "server-timing")) {
    ServerTiming timing = ParseServerTiming(value);
    if (!timing_.service) timing_.service = timing.service;
    if (!timing_.queue) timing_.queue = timing.queue;
  }
}

void HttpAnswerReader::TakeLength(std::string_view value) {
  auto length = ParseNumber<uint64_t>(value);
  if (!length || (has_length_ && *length != remaining_)) {
    part_ = Part::kBad;
    return;
  }
  has_length_ = true;
  remaining_ = *length;
}

// RFC 9112, section 6.3: how long the body is.
void HttpAnswerReader::EndHead() {
  constexpr int kSwitchingProtocols = 101;
  constexpr int kNoContent = 204;
  constexpr int kNotModified = 304;
  if (status_ == kSwitchingProtocols) {
    part_ = Part::kBad;  // never asked for
  } else if (status_ < 200) {
    // An interim response; the real one follows.
    size_t head_bytes = head_bytes_;
    Start(to_head_request_);
    head_bytes_ = head_bytes;
  } else if (to_head_request_ || status_ == kNoContent ||
             status_ == kNotModified) {
    part_ = Part::kDone;
  } else if (chunked_) {
    part_ = Part::kChunkSize;
  } else if (has_length_) {
    part_ = remaining_ == 0 ? Part::kDone : Part::kBody;
  } else {
    keep_alive_ = false;
    part_ = Part::kBodyToTheEnd;
  }
}

size_t HttpAnswerReader::TakeBodyPart(std::string_view bytes) {
  size_t taken = bytes.size();
  if (part_ != Part::kBodyToTheEnd) {
    taken = static_cast<size_t>(std::min<uint64_t>(taken, remaining_));
    remaining_ -= taken;
  }
  body_bytes_ += taken;
  if (part_ == Part::kBodyToTheEnd || remaining_ > 0) return taken;
  part_ = part_ == Part::kBody ? Part::kDone : Part::kChunkEnd;
  return taken;
}

// "1a2b;extension"
void HttpAnswerReader::TakeChunkSize(std::string_view line) {
  std::string_view digits = FieldValue(line.substr(0, line.find(';')));
  const char* end = digits.data() + digits.size();
  auto [rest, error] = std::from_chars(digits.data(), end, remaining_, 16);
  if (digits.empty() || error != std::errc() || rest != end) {
    part_ = Part::kBad;
    return;
  }
  part_ = remaining_ == 0 ? Part::kTrailer : Part::kChunk;
}

}  // namespace mete
