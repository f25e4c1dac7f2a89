// BERT-base, and BERT-mini (Turc et al. 2019) as the small size.
#include "zoo/application_drafts.h"
#include "zoo/text_encoder.h"

namespace mete {

NetworkDraft TextBert(const std::string& name, ApplicationSize size,
                      uint64_t seed) {
  if (size == ApplicationSize::kFull) {
    return DraftTextEncoder(name,
                            {.tokens = 128,
                             .layers = 12,
                             .features = 768,
                             .heads = 12,
                             .hidden = 3072},
                            seed);
  }
  return DraftTextEncoder(
      name,
      {.tokens = 128, .layers = 4, .features = 256, .heads = 4, .hidden = 1024},
      seed);
}

}  // namespace mete
