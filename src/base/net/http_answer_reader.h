// Reads HTTP/1.1 responses as their bytes arrive, in pieces of any size. Keeps
// only what a load generator needs; bodies are counted and dropped.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "net/server_timing.h"

namespace mete {

// The response to one request at a time on one connection.
class HttpAnswerReader {
 public:
  enum class State {
    kReading,  // more bytes are needed
    kDone,     // the response is complete
    kBad,      // these bytes are no HTTP response
  };

  // Prepares for the next response. One to HEAD has no body.
  void Start(bool to_head_request);
  // Reads to the end of the response at most and returns the number of bytes
  // that belong to it.
  size_t Take(std::string_view bytes);
  // The server has closed the connection. That completes a body without a
  // length; any other response remains incomplete.
  void TakeEnd();

  State state() const;
  // The rest is known once the response is done.
  int status() const { return status_; }
  uint64_t body_bytes() const { return body_bytes_; }
  const ServerTiming& timing() const { return timing_; }
  // Whether the connection may be used for another request.
  bool keep_alive() const { return keep_alive_; }

 private:
  enum class Part {
    kStatusLine,
    kField,
    kBody,          // of a known length
    kBodyToTheEnd,  // until the server closes the connection
    kChunkSize,
    kChunk,
    kChunkEnd,
    kTrailer,
    kDone,
    kBad,
  };

  // The part of `bytes` up to and including the end of the line. Calls TakeLine
  // when it is complete.
  size_t TakeLinePart(std::string_view bytes);
  size_t TakeBodyPart(std::string_view bytes);
  void TakeLine(std::string_view line);
  void TakeStatusLine(std::string_view line);
  void TakeField(std::string_view line);
  void TakeLength(std::string_view value);
  void TakeChunkSize(std::string_view line);
  void EndHead();

  Part part_ = Part::kDone;
  bool to_head_request_ = false;
  bool keep_alive_ = true;
  bool chunked_ = false;
  bool has_length_ = false;
  int status_ = 0;
  uint64_t remaining_ = 0;  // of the body or the chunk
  uint64_t body_bytes_ = 0;
  size_t head_bytes_ = 0;  // of head and trailer, against endless ones
  std::string line_;       // what has arrived of an incomplete line
  ServerTiming timing_;
};

}  // namespace mete
