#include "domain/graph.h"

#include <unordered_set>

namespace mete {
namespace {

template <typename T>
T ValueOr(const Attribute* attribute, T otherwise) {
  if (attribute == nullptr) return otherwise;
  const T* value = std::get_if<T>(&attribute->value);
  return value == nullptr ? otherwise : *value;
}

}  // namespace

const Attribute* Node::Find(std::string_view attribute) const {
  for (const Attribute& candidate : attributes) {
    if (candidate.name == attribute) return &candidate;
  }
  return nullptr;
}

int64_t Node::Integer(std::string_view attribute, int64_t otherwise) const {
  return ValueOr<int64_t>(Find(attribute), otherwise);
}

double Node::Real(std::string_view attribute, double otherwise) const {
  return ValueOr<double>(Find(attribute), otherwise);
}

std::string Node::Text(std::string_view attribute,
                       std::string otherwise) const {
  return ValueOr<std::string>(Find(attribute), std::move(otherwise));
}

std::vector<int64_t> Node::Integers(std::string_view attribute) const {
  return ValueOr<std::vector<int64_t>>(Find(attribute), {});
}

std::vector<std::string> NamesReadBy(const Node& node) {
  std::vector<std::string> names;
  for (const std::string& input : node.inputs) {
    if (!input.empty()) names.push_back(input);
  }
  for (const Attribute& attribute : node.attributes) {
    auto* graphs = std::get_if<std::vector<Graph>>(&attribute.value);
    if (graphs == nullptr) continue;
    for (const Graph& graph : *graphs) {
      for (std::string& name : NamesTakenBy(graph)) {
        names.push_back(std::move(name));
      }
    }
  }
  return names;
}

std::vector<std::string> NamesTakenBy(const Graph& graph) {
  std::unordered_set<std::string_view> own;
  for (const GraphValue& input : graph.inputs) own.insert(input.name);
  for (const Constant& constant : graph.constants) own.insert(constant.name);
  for (const Node& node : graph.nodes) {
    own.insert(node.outputs.begin(), node.outputs.end());
  }
  std::vector<std::string> taken;
  auto take = [&](std::string name) {
    if (!own.contains(name)) taken.push_back(std::move(name));
  };
  for (const Node& node : graph.nodes) {
    for (std::string& name : NamesReadBy(node)) take(std::move(name));
  }
  for (const GraphValue& output : graph.outputs) take(output.name);
  return taken;
}

}  // namespace mete
