#include "describe/einsum.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "describe/node_view.h"
#include "describe/operator_rules.h"

namespace mete {
namespace {

// Labels, with every "..." as one '.'. Fails on any other character.
Result<std::string> ParseLabels(std::string_view text) {
  std::string labels;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == ' ') continue;
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    bool ellipsis =
        text.substr(i, 3) == "..." && labels.find('.') == std::string::npos;
    if (!letter && !ellipsis) {
      return Contradiction(fmt::format("the equation contains '{}'", text));
    }
    labels += ellipsis ? '.' : c;
    if (ellipsis) i += 2;
  }
  return labels;
}

// The output if there is no "->": the ellipsis, then labels that occur once, in
// order.
std::string ImpliedOutput(const std::vector<std::string>& terms) {
  std::map<char, int> counts;
  for (const std::string& term : terms) {
    for (char label : term) ++counts[label];
  }
  std::string output;
  if (counts.contains('.')) output = ".";
  for (auto [label, count] : counts) {
    if (label != '.' && count == 1) output += label;
  }
  return output;
}

// Sizes of the labels and of the axes of an ellipsis.
struct Sizes {
  std::map<char, Dimension> labels;
  Shape ellipsis;
};

Status BindTerm(const std::string& term, const Shape& shape, Sizes& sizes) {
  bool ellipsis = term.find('.') != std::string::npos;
  size_t letters = term.size() - (ellipsis ? 1 : 0);
  if (shape.size() < letters || (!ellipsis && shape.size() != letters)) {
    return Contradiction(fmt::format("'{}' does not match the shape {}", term,
                                     FormatShape(shape)));
  }
  size_t axis = 0;
  for (char label : term) {
    if (label == '.') {
      size_t count = shape.size() - letters;
      auto begin = shape.begin() + static_cast<ptrdiff_t>(axis);
      Shape stretch(begin, begin + static_cast<ptrdiff_t>(count));
      ASSIGN_OR_RETURN(sizes.ellipsis, Broadcast(sizes.ellipsis, stretch));
      axis += count;
      continue;
    }
    auto [place, fresh] = sizes.labels.emplace(label, shape[axis]);
    if (!fresh) {
      ASSIGN_OR_RETURN(Shape merged, Broadcast({place->second}, {shape[axis]}));
      place->second = merged[0];
    }
    ++axis;
  }
  return {};
}

}  // namespace

Result<Equation> Equation::Parse(std::string_view text) {
  Equation equation;
  size_t arrow = text.find("->");
  std::string_view left = text.substr(0, arrow);
  while (true) {
    size_t comma = left.find(',');
    ASSIGN_OR_RETURN(std::string term, ParseLabels(left.substr(0, comma)));
    equation.terms_.push_back(std::move(term));
    if (comma == std::string_view::npos) break;
    left.remove_prefix(comma + 1);
  }
  if (arrow == std::string_view::npos) {
    equation.output_ = ImpliedOutput(equation.terms_);
  } else {
    ASSIGN_OR_RETURN(equation.output_, ParseLabels(text.substr(arrow + 2)));
  }
  return equation;
}

Result<std::optional<Equation::Bound>> Equation::Bind(
    const std::vector<const Shape*>& shapes) const {
  if (shapes.size() != terms_.size()) {
    return Contradiction(fmt::format("found {} operands, expected {}",
                                     shapes.size(), terms_.size()));
  }
  Sizes sizes;
  for (size_t i = 0; i < terms_.size(); ++i) {
    if (shapes[i] == nullptr) return std::optional<Bound>();
    RETURN_IF_ERROR(BindTerm(terms_[i], *shapes[i], sizes));
  }
  Bound bound;
  for (char label : output_) {
    if (label == '.') {
      bound.output.insert(bound.output.end(), sizes.ellipsis.begin(),
                          sizes.ellipsis.end());
      continue;
    }
    auto found = sizes.labels.find(label);
    if (found == sizes.labels.end()) {
      return Contradiction(fmt::format(
          "the label '{}' of the result is not in any operand", label));
    }
    bound.output.push_back(found->second);
  }
  bound.combinations = ComputeSize(sizes.ellipsis, 0, sizes.ellipsis.size());
  for (const auto& [label, size] : sizes.labels) {
    bound.combinations = bound.combinations * ComputeSize(size);
  }
  return std::optional<Bound>(std::move(bound));
}

}  // namespace mete
