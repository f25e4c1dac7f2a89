// Reads arbitrary text as an annotation that mete watch finds on an object:
// what it writes instead must be readable, and equal to itself.
#include "fuzz/input.h"
#include "support/check.h"
#include "watch/alnair_annotations.h"
#include "watch/annotation_change.h"
#include "watch/fit_annotations.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  std::string_view rest = fuzz::ToText(bytes, size);
  const std::string old_text(fuzz::TakeLine(rest));
  const std::string other(rest);

  const std::string merged =
      mete::MergeMaxima(old_text, {{"cpu_util", "12.5"}, {"node", "'a'"}});
  auto read = mete::ParsePythonDict(merged);
  CHECK(read) << merged;
  CHECK(read->size() >= 2);
  CHECK(mete::MergeMaxima(merged, *read) == merged) << merged;

  for (const std::string& text : {old_text, other}) {
    CHECK(mete::SameText(text, text, 0.1));
    CHECK(mete::SameProfile(text, text, 0.1));
    CHECK(mete::AlnairKey(text).size() <= mete::kAlnairPrefix.size() + 63);
  }
  CHECK(mete::SameText(old_text, other, 0.1) ==
        mete::SameText(other, old_text, 0.1));
  CHECK(mete::SameProfile(old_text, other, 0.1) ==
        mete::SameProfile(other, old_text, 0.1));

  mete::LabelMap ours{{"a", old_text}, {"b", merged}};
  mete::FitAnnotations({{"c", other}}, {"b"}, ours, 1000);
  size_t used = 1 + other.size();
  for (const auto& [key, value] : ours) used += key.size() + value.size();
  CHECK(ours.empty() || used <= 1000);
  return 0;
}
