// The ranking network ms-marco-TinyBERT-L-2: two layers of 128 features, one
// score for a text. NeuRO's 128 random words become some 400 tokens.
#include "zoo/application_drafts.h"
#include "zoo/text_encoder.h"

namespace mete {

NetworkDraft TextTbert(const std::string& name, ApplicationSize size,
                       uint64_t seed) {
  return DraftTextEncoder(name,
                          {.tokens = size == ApplicationSize::kFull ? 512 : 256,
                           .layers = 2,
                           .features = 128,
                           .heads = 2,
                           .hidden = 512,
                           .labels = 1},
                          seed);
}

}  // namespace mete
