// Nine applications of the compute classes that NeuRO co-locates, each in the
// size of its original and in a small one. To add one, add a file
// application_NAME.cc and its row to the table in applications.cc.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "domain/network_draft.h"

namespace mete {

// The sizes of an application.
enum class ApplicationSize {
  kFull,   // as in NeuRO
  kSmall,  // "-small": a request takes milliseconds on one core
};

// An application of the catalogue. The draft is named as it is listed.
struct Application {
  const char* name;  // of the full size
  const char* kind;  // CNN, RNN, GNN, Trees or Transformer
  const char* summary;
  const char* small_summary;
  NetworkDraft (*draft)(const std::string& name, ApplicationSize size,
                        uint64_t seed);
};

// All applications, in NeuRO's order.
std::span<const Application> Applications();

// Their names: nine, then the same with "-small".
std::vector<std::string> ApplicationNames();

}  // namespace mete
