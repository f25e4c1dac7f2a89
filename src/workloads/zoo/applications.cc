#include "zoo/applications.h"

#include "zoo/application_drafts.h"

namespace mete {
namespace {

constexpr Application kApplications[] = {
    {"tclf-gcn", "GNN", "GCNII: 8,000 nodes, 160,000 edges",
     "GCNII: 2,000 nodes, 40,000 edges", TclfGcn},
    {"tclf-rf", "Trees", "random forest: 100 trees of depth 10",
     "random forest: 50 trees of depth 8", TclfRf},
    {"tstr-lstm", "RNN", "two LSTM layers over 16 time series",
     "two LSTM layers over 4 time series", TstrLstm},
    {"kalman-gru", "RNN", "KalmanNet over 128 steps", "KalmanNet over 64 steps",
     KalmanGru},
    {"iclf-mnet", "CNN", "MobileNetV3-Large",
     "MobileNetV3-Large of 3/4 of the width", IclfMnet},
    {"text-bert", "Transformer", "BERT-base classifier", "BERT-mini classifier",
     TextBert},
    {"iclf-efnet", "CNN", "EfficientNetV2-L", "EfficientNetV2-B0", IclfEfnet},
    {"text-tbert", "Transformer", "TinyBERT with two layers",
     "TinyBERT with two layers, shorter texts", TextTbert},
    {"iclf-mvit", "Transformer", "MobileViT-S", "MobileViT-XXS", IclfMvit},
};

}  // namespace

std::span<const Application> Applications() { return kApplications; }

std::vector<std::string> ApplicationNames() {
  std::vector<std::string> names;
  for (const char* suffix : {"", "-small"}) {
    for (const Application& application : kApplications)
      names.push_back(std::string(application.name) + suffix);
  }
  return names;
}

}  // namespace mete
