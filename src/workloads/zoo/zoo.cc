#include "zoo/zoo.h"

#include <algorithm>
#include <set>

#include "support/nearest.h"
#include "support/text.h"
#include "zoo/applications.h"
#include "zoo/architectures.h"

namespace mete {
namespace {

// A row of the zoo before its draft is created.
struct Species {
  const char* name;
  const char* kind;
  const char* summary;
  NetworkDraft (*draft)(uint64_t seed);
};

constexpr Species kSpecies[] = {
    {"lenet5", "CNN", "handwritten digits, with tanh", LeNet5},
    {"alexnet", "CNN", "ImageNet classes", AlexNet},
    {"vgg11", "CNN", "ImageNet classes", Vgg11},
    {"vgg16", "CNN", "ImageNet classes", Vgg16},
    {"resnet18", "CNN", "residual basic blocks", ResNet18},
    {"resnet34", "CNN", "residual basic blocks", ResNet34},
    {"resnet50", "CNN", "residual bottlenecks", ResNet50},
    {"densenet121", "CNN", "densely connected", DenseNet121},
    {"googlenet", "CNN", "inception blocks, batch norm", GoogLeNet},
    {"squeezenet1.0", "CNN", "fire blocks", SqueezeNet10},
    {"squeezenet1.1", "CNN", "fire blocks, 2.4x fewer operations",
     SqueezeNet11},
    {"mobilenet-v1", "CNN", "depthwise-separable", MobileNetV1},
    {"mobilenet-v2", "CNN", "inverted residuals", MobileNetV2},
    {"efficientnet-b0", "CNN", "squeeze-and-excitation", EfficientNetB0},
    {"mlp", "MLP", "two hidden layers of 512", Mlp},
    {"cnn1d", "CNN", "1-D convolutions over a second of speech", Cnn1d},
    {"lstm", "RNN", "two LSTM layers of 128 over motion sensors", Lstm},
    {"gru", "RNN", "two GRU layers of 128 over motion sensors", Gru},
    {"transformer", "Transformer", "six encoder layers of 512 over 128 tokens",
     TransformerEncoder},
};

// An application in one of its sizes.
struct SizedApplication {
  std::string name;
  const Application& application;
  ApplicationSize size;

  const char* summary() const {
    return size == ApplicationSize::kFull ? application.summary
                                          : application.small_summary;
  }
};

// In the order of ApplicationNames.
std::vector<SizedApplication> SizedApplications() {
  const std::vector<std::string> names = ApplicationNames();
  const auto all = Applications();
  std::vector<SizedApplication> sized;
  for (size_t i = 0; i < names.size(); ++i) {
    sized.push_back({.name = names[i],
                     .application = all[i % all.size()],
                     .size = i < all.size() ? ApplicationSize::kFull
                                            : ApplicationSize::kSmall});
  }
  return sized;
}

ZooEntry MakeEntry(const NetworkDraft& draft, const char* summary,
                   const char* kind) {
  return {
      .name = draft.graph.name,
      .summary = summary,
      .kind = kind,
      .input_shape = draft.graph.inputs.front().type.shape.value_or(Shape{}),
      .trainable_parameters = TrainableParameters(draft)};
}

// Inputs 3 and 4 of BatchNormalization are the running mean and variance.
std::set<std::string> RunningStatistics(const Graph& graph) {
  std::set<std::string> names;
  for (const Node& node : graph.nodes) {
    if (node.op == "BatchNormalization" && node.inputs.size() == 5)
      names.insert({node.inputs[3], node.inputs[4]});
  }
  return names;
}

// Thresholds and leaves, which a forest has instead of weights.
uint64_t CountTreeValues(const Node& node) {
  const Attribute* values = node.Find("nodes_values");
  if (values == nullptr) return 0;
  const auto* list = std::get_if<std::vector<double>>(&values->value);
  return list == nullptr ? 0 : list->size();
}

Error UnknownNetwork(std::string_view name) {
  std::string nearest = DidYouMean(name, AllZooNames());
  return NotFound(
      "network '" + std::string(name) + "' is not in the zoo" +
      (nearest.empty() ? "; list them with mete zoo list" : nearest));
}

}  // namespace

uint64_t TrainableParameters(const NetworkDraft& draft) {
  const std::set<std::string> statistics = RunningStatistics(draft.graph);
  uint64_t count = 0;
  for (const Constant& constant : draft.graph.constants) {
    auto fill = draft.fills.find(constant.name);
    bool literal = fill == draft.fills.end() ||
                   std::holds_alternative<LiteralFill>(fill->second);
    if (!literal && !statistics.contains(constant.name))
      count += ElementCount(constant.sizes).value_or(0);
  }
  for (const Node& node : draft.graph.nodes) count += CountTreeValues(node);
  return count;
}

std::vector<ZooEntry> ZooEntries() {
  std::vector<ZooEntry> entries;
  for (const Species& species : kSpecies)
    entries.push_back(
        MakeEntry(species.draft(0), species.summary, species.kind));
  for (const SizedApplication& sized : SizedApplications()) {
    entries.push_back(
        MakeEntry(sized.application.draft(sized.name, sized.size, 0),
                  sized.summary(), sized.application.kind));
  }
  return entries;
}

std::vector<std::string> ZooNames() {
  std::vector<std::string> names;
  for (const Species& species : kSpecies) names.emplace_back(species.name);
  return names;
}

std::vector<std::string> AllZooNames() {
  std::vector<std::string> names = ZooNames();
  for (std::string& name : ApplicationNames()) names.push_back(std::move(name));
  return names;
}

Status CheckZooName(std::string_view name) {
  if (HasItem(AllZooNames(), name)) return {};
  return UnknownNetwork(name);
}

Result<NetworkDraft> MakeDraft(std::string_view name, uint64_t seed) {
  for (const Species& species : kSpecies) {
    if (species.name == name) return species.draft(seed);
  }
  for (const SizedApplication& sized : SizedApplications()) {
    if (sized.name == name)
      return sized.application.draft(sized.name, sized.size, seed);
  }
  return UnknownNetwork(name);
}

}  // namespace mete
