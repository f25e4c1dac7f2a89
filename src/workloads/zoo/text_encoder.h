// What the BERT-like applications share: embeddings, encoder layers, pooler and
// classifier of Devlin et al. 2019, "BERT", as in Hugging Face's
// BertForSequenceClassification.
#pragma once

#include <cstdint>
#include <string>

#include "domain/network_draft.h"

namespace mete {

// Sizes of an encoder.
struct TextEncoderOptions {
  int64_t tokens = 128;  // of a text; all are attended to
  int64_t layers = 0;
  int64_t features = 0;
  int64_t heads = 0;
  int64_t hidden = 0;  // of the feed-forward part
  int64_t labels = 2;
};

// The input is token numbers as int64. The segment of all tokens is 0.
NetworkDraft DraftTextEncoder(const std::string& name,
                              const TextEncoderOptions& options, uint64_t seed);

}  // namespace mete
