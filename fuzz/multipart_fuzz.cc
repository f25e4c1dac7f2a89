// Uses the first line as a Content-Type and the rest as a form. Parts must lie
// inside the form, and file names must be safe in a folder.
#include "net/multipart.h"

#include <functional>

#include "fuzz/input.h"
#include "support/check.h"

namespace {

void CheckName(const std::string& name) {
  CHECK(name.find('/') == std::string::npos && name.size() <= 200);
  CHECK(mete::SafeFileName(name) == name) << name;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  std::string_view body = fuzz::ToText(bytes, size);
  const std::string_view type = fuzz::TakeLine(body);
  mete::IsMultipart(type);
  auto parts = mete::ParseMultipart(type, body);
  if (!parts.ok()) return 0;
  CHECK(parts->size() <= 100);
  for (const mete::FormPart& part : *parts) {
    const std::less_equal<> before;
    CHECK(before(body.data(), part.content.data()));
    CHECK(before(part.content.data() + part.content.size(),
                 body.data() + body.size()));
    CheckName(mete::SafeFileName(part.file_name.value_or("")));
  }
  return 0;
}
