// Internal to http_server.cc: the requests that it refuses before a handler
// sees them, and its responses to them.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>

#include <boost/beast/http.hpp>

#include "net/beast_fields.h"
#include "net/http_server.h"
#include "support/text.h"
#include "support/units.h"

namespace mete {

// In the common format of our errors. `message` must not need escaping.
inline HttpReply Refusal(boost::beast::http::status status, const char* code,
                         const std::string& message) {
  HttpReply reply;
  reply.response.status = static_cast<int>(status);
  reply.response.fields["content-type"] = "application/json";
  reply.response.body =
      fmt::format("{{\"error\": {{\"code\": \"{}\", \"message\": \"{}\"}}}}\n",
                  code, message);
  return reply;
}

// Only "chunked" has one meaning for all servers and proxies. With another
// coding, they may disagree about where the request ends.
template <typename Parser>
bool HasUnknownCoding(const Parser& parser) {
  const auto& head = parser.get();
  const auto codings = head.count(boost::beast::http::field::transfer_encoding);
  if (codings == 0) return false;
  return codings > 1 || head.version() < 11 ||
         !boost::beast::iequals(
             head[boost::beast::http::field::transfer_encoding], "chunked");
}

// Servers and proxies disagree about which of several counts.
template <typename Parser>
std::optional<std::string_view> RepeatedField(const Parser& parser) {
  const auto& head = parser.get();
  if (head.count(boost::beast::http::field::authorization) > 1)
    return "Authorization";
  if (head.count(boost::beast::http::field::host) > 1) return "Host";
  return std::nullopt;
}

// Refuses what others may read as another request than we do.
template <typename Parser>
std::optional<HttpReply> RefuseMalformed(const Parser& parser) {
  if (HasUnknownCoding(parser)) {
    return Refusal(boost::beast::http::status::bad_request, "bad_request",
                   "Transfer-Encoding must be chunked");
  }
  if (auto field = RepeatedField(parser)) {
    return Refusal(boost::beast::http::status::bad_request, "bad_request",
                   fmt::format("{} is sent more than once", *field));
  }
  return std::nullopt;
}

// Absent if the client is gone.
inline std::optional<HttpReply> RefusalFor(
    const boost::system::error_code& error) {
  if (error == boost::beast::http::error::header_limit) {
    return Refusal(boost::beast::http::status::request_header_fields_too_large,
                   "too_large", "the header is larger than 8 KiB");
  }
  const bool malformed = error.category() == HttpErrors() &&
                         error != boost::beast::http::error::end_of_stream &&
                         error != boost::beast::http::error::partial_message;
  if (!malformed) return std::nullopt;
  return Refusal(boost::beast::http::status::bad_request, "bad_request",
                 LowerFirst(error.message()));
}

// The announced length of a body, or its limit if none is announced; 0
// without a body.
template <typename Parser>
uint64_t ReadLength(const Parser& parser, Bytes limit) {
  if (parser.chunked()) return limit.count;
  return parser.content_length().value_or(0);
}

}  // namespace mete
