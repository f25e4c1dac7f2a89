#include "adapters/onnxruntime/handles.h"

#include <cctype>
#include <string_view>

namespace mete {
namespace {

ErrorCode CodeFor(OrtErrorCode code, ErrorCode otherwise) {
  switch (code) {
    case ORT_NO_SUCHFILE:
      return ErrorCode::kNotFound;
    case ORT_INVALID_PROTOBUF:
    case ORT_INVALID_GRAPH:
    case ORT_NO_MODEL:
      return ErrorCode::kCorrupt;
    case ORT_INVALID_ARGUMENT:
      return ErrorCode::kInvalidInput;
    case ORT_NOT_IMPLEMENTED:
      return ErrorCode::kUnsupported;
    default:
      return otherwise;
  }
}

}  // namespace

std::string FirstLine(const char* text) {
  std::string_view line(text);
  // "/onnxruntime_src/core/x.cc:123 void f() what went wrong": the position
  // comes first and ends with the closing parenthesis of the function.
  size_t position = line.find(".cc:");
  if (position != std::string_view::npos) {
    size_t end = line.find(") ", position);
    if (end != std::string_view::npos) line.remove_prefix(end + 2);
  }
  while (!line.empty() && std::isspace(static_cast<unsigned char>(line[0]))) {
    line.remove_prefix(1);
  }
  line = line.substr(0, line.find('\n'));
  while (!line.empty() &&
         std::isspace(static_cast<unsigned char>(line.back()))) {
    line.remove_suffix(1);
  }
  return std::string(line);
}

Status FromOrt(const OrtApi& api, OrtStatus* status, ErrorCode failure_code) {
  if (status == nullptr) return {};
  StatusHandle owned(status, {&api});
  ErrorCode code = CodeFor(api.GetErrorCode(status), failure_code);
  return Error(code, FirstLine(api.GetErrorMessage(status)));
}

}  // namespace mete
