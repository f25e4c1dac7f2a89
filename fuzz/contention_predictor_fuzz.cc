// Reads arbitrary text as a predictor of contention. An accepted one must
// predict without crashing, keep its promises and survive being saved.
#include <cmath>

#include "contention/predictor_document.h"
#include "fuzz/input.h"
#include "support/check.h"

namespace {

using mete::Tenant;

std::vector<Tenant> MakeTenants(const std::vector<std::string>& applications,
                                int instances) {
  std::vector<Tenant> tenants;
  for (size_t i = 0; i < std::min<size_t>(applications.size(), 4); ++i) {
    tenants.push_back(
        {.application = applications[i], .instances = instances, .rate = 3.5});
  }
  return tenants;
}

// More instances never predict less time.
void CheckPressure(const mete::PressurePredictor& predictor) {
  auto few = predictor.Predict(MakeTenants(predictor.Applications(), 1));
  auto many = predictor.Predict(MakeTenants(predictor.Applications(), 3));
  CHECK(few.ok() && many.ok());
  for (size_t i = 0; i < few->size(); ++i) {
    for (const mete::TimeLabel& label : mete::AllTimeLabels()) {
      const double less = (*few)[i].Get(label)->time.count();
      const double more = (*many)[i].Get(label)->time.count();
      CHECK(!(more < less * (1 - 1e-9))) << more << " after " << less;
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  auto document = mete::ParseContentionDocument(fuzz::ToText(bytes, size));
  if (!document.ok()) return 0;
  const std::vector<std::string> known = document->predictor->Applications();
  CHECK(document->predictor->Predict(MakeTenants(known, 2)).ok());
  if (document->pressure() != nullptr) CheckPressure(*document->pressure());
  const std::string saved = mete::ContentionDocumentText(*document);
  auto again = mete::ParseContentionDocument(saved);
  CHECK(again.ok()) << again.error().message();
  CHECK(mete::ContentionDocumentText(*again) == saved);
  return 0;
}
