// Reads arbitrary text as an inference request. What is accepted matches its
// shape, and is the same after writing it as an answer and reading it again.
#include <string>

#include "fuzz/input.h"
#include "inference/kserve_json.h"
#include "support/check.h"
#include "support/json.h"

namespace {

// Numbers that are not finite have no JSON form.
bool HasNull(const std::string& text) {
  return text.find("null") != std::string::npos;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  auto request = mete::ParseKserveRequest(fuzz::ToText(bytes, size));
  if (!request.ok()) return 0;
  for (const mete::TensorValue& input : request->inputs) {
    CHECK(mete::ByteCount(input.type, mete::KnownShape(input.sizes)) ==
          input.bytes.size());
  }
  auto text = mete::WriteKserveReply("net", {}, request->inputs);
  CHECK(text.ok()) << text.error().message();
  if (HasNull(*text)) return 0;
  mete::SortedJson answer = mete::ParseSortedJson(*text).value();
  answer["inputs"] = answer["outputs"];
  answer.erase("outputs");
  auto again = mete::ParseKserveRequest(answer.dump());
  CHECK(again.ok()) << again.error().message();
  CHECK(again->inputs.size() == request->inputs.size());
  for (size_t i = 0; i < again->inputs.size(); ++i) {
    CHECK(again->inputs[i].name == request->inputs[i].name);
    CHECK(again->inputs[i].bytes == request->inputs[i].bytes);
  }
  return 0;
}
