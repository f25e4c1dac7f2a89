// Uses arbitrary text as the target and the query of a request. Any bytes must
// survive percent encoding, and so must every value of a query.
#include "fuzz/input.h"
#include "net/http.h"
#include "support/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  const std::string_view text = fuzz::ToText(bytes, size);
  CHECK(mete::PercentDecode(mete::PercentEncode(text)) == text);
  const mete::HttpTarget target = mete::SplitTarget(text);
  CHECK(target.path.size() + target.query.size() <= text.size());
  for (std::string_view query : {text, target.query}) {
    const auto values = mete::ParseQuery(query);
    std::string again;
    for (const auto& [name, value] : values) {
      again +=
          "&" + mete::PercentEncode(name) + "=" + mete::PercentEncode(value);
    }
    CHECK(mete::ParseQuery(again) == values);
  }
  return 0;
}
