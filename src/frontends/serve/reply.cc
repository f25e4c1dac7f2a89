#include "serve/reply.h"

#include "support/json.h"

namespace mete {
namespace {

struct Meaning {
  int status;
  const char* code;
};

Meaning MeaningFor(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidInput:
      return {400, "invalid_input"};
    case ErrorCode::kNotFound:
      return {404, "not_found"};
    case ErrorCode::kPermissionDenied:
      return {403, "permission_denied"};
    case ErrorCode::kUnsupported:
      return {422, "unsupported"};
    case ErrorCode::kUnavailable:
    case ErrorCode::kInterrupted:
      return {503, "unavailable"};
    case ErrorCode::kTimeout:
      return {504, "timeout"};
    case ErrorCode::kCorrupt:
      return {500, "corrupt"};
  }
  return {500, "unknown"};
}

HttpReply Plain(int status, const char* type, std::string body) {
  HttpReply reply;
  reply.response.status = status;
  reply.response.fields["content-type"] = type;
  // The state of jobs and runs changes.
  reply.response.fields["cache-control"] = "no-store";
  reply.response.body = std::move(body);
  return reply;
}

}  // namespace

HttpReply JsonReply(int status, const Json& json) {
  return Plain(status, "application/json", DumpJson(json) + "\n");
}

HttpReply JsonReply(int status, const SortedJson& json) {
  return Plain(
      status, "application/json",
      json.dump(-1, ' ', false, SortedJson::error_handler_t::replace) + "\n");
}

HttpReply TextReply(int status, std::string text) {
  return Plain(status, "text/plain; charset=utf-8", std::move(text));
}

HttpReply ErrorReply(int status, const std::string& code,
                     const std::string& message) {
  return JsonReply(status,
                   Json{{"error", {{"code", code}, {"message", message}}}});
}

HttpReply FieldReply(const std::string& field, const std::string& message) {
  Json error = {
      {"code", "invalid_field"}, {"message", message}, {"field", field}};
  return JsonReply(422, Json{{"error", std::move(error)}});
}

HttpReply ErrorReply(const Error& error) {
  Meaning meaning = MeaningFor(error.code());
  return ErrorReply(meaning.status, meaning.code, error.message());
}

std::optional<HttpReply> RefuseUnknownHost(const KnownHosts& hosts,
                                           const HttpRequest& head,
                                           std::string_view remedy) {
  auto host = head.fields.find("host");
  if (host == head.fields.end() || hosts.Allow(host->second)) {
    return std::nullopt;
  }
  return ErrorReply(403, "unknown_host",
                    "the request is for a name that this server does not "
                    "answer to; " +
                        std::string(remedy));
}

std::string MediaType(const HttpRequest& request) {
  auto field = request.fields.find("content-type");
  if (field == request.fields.end()) return "";
  std::string type = field->second.substr(0, field->second.find(';'));
  while (type.ends_with(' ')) type.pop_back();
  for (char& c : type) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return type;
}

}  // namespace mete
