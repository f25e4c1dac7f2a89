// Reads arbitrary bytes as an HTTP response. The result must not depend on how
// the bytes are cut into pieces, and the reader must take no byte of what
// follows the response.
#include "fuzz/input.h"
#include "net/http_answer_reader.h"
#include "support/check.h"

namespace {

using State = mete::HttpAnswerReader::State;

// What a reader makes of the bytes.
struct Reading {
  State state = State::kReading;
  size_t taken = 0;
  int status = 0;
  uint64_t body_bytes = 0;
  bool keep_alive = true;
  mete::ServerTiming timing;

  bool operator==(const Reading&) const = default;
};

Reading Read(std::string_view text, size_t step, bool to_head_request) {
  mete::HttpAnswerReader reader;
  reader.Start(to_head_request);
  Reading reading;
  while (reading.taken < text.size() && reader.state() == State::kReading) {
    std::string_view piece = text.substr(reading.taken, step);
    size_t taken = reader.Take(piece);
    CHECK(taken <= piece.size());
    CHECK(taken == piece.size() || reader.state() != State::kReading);
    reading.taken += taken;
  }
  reader.TakeEnd();
  reading.state = reader.state();
  // A response that is not HTTP is noticed at the end of a line or before.
  if (reading.state != State::kDone) return {.state = reading.state};
  reading.status = reader.status();
  reading.body_bytes = reader.body_bytes();
  reading.keep_alive = reader.keep_alive();
  reading.timing = reader.timing();
  return reading;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  std::string_view text = fuzz::ToText(bytes, size);
  for (bool to_head_request : {false, true}) {
    const Reading whole = Read(text, text.size() + 1, to_head_request);
    for (size_t step : {1, 2, 7}) {
      CHECK(Read(text, step, to_head_request) == whole);
    }
    if (whole.state != State::kDone) continue;
    CHECK(whole.status >= 200 && whole.status <= 999);
    CHECK(whole.body_bytes <= size);
    CHECK(!whole.timing.service || whole.timing.service->count() >= 0);
    // Nothing that follows changes the response, unless it ends with the
    // connection.
    std::string_view response = text.substr(0, whole.taken);
    CHECK(Read(response, size + 1, to_head_request) == whole);
  }
  return 0;
}
