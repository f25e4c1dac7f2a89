#include "domain/graph.h"

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

}  // namespace mete
