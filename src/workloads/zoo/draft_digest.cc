#include "zoo/draft_digest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "support/sha256.h"

namespace mete {
namespace {

std::string DigestText(const std::monostate&) { return ""; }
std::string DigestText(int64_t value) { return fmt::format("{}", value); }
std::string DigestText(double value) { return fmt::format("{:a}", value); }
std::string DigestText(const std::string& value) { return value; }
std::string DigestText(const AttributeReference& value) { return value.name; }
std::string DigestText(const Constant& constant);
std::string DigestText(const Node& node);
std::string DigestText(const Graph& graph);
// After all the others, because lookup inside it ends here.
template <typename Item>
std::string DigestText(const std::vector<Item>& items) {
  std::string text;
  for (const Item& item : items) text += DigestText(item) + ",";
  return text;
}
std::string DigestText(const Constant& constant) {
  return fmt::format("{} {} {} {} {}\n", constant.name,
                     static_cast<int>(constant.type),
                     DigestText(constant.sizes), DigestText(constant.integers),
                     DigestText(constant.reals));
}

std::string DigestText(const Node& node) {
  std::string text =
      fmt::format("{} {} {} {} {}\n", node.name, node.domain, node.op,
                  DigestText(node.inputs), DigestText(node.outputs));
  for (const Attribute& attribute : node.attributes) {
    text += attribute.name + "=";
    text += std::visit([](const auto& value) { return DigestText(value); },
                       attribute.value);
    text += "\n";
  }
  return text;
}

std::string DigestText(const Graph& graph) {
  std::string text = graph.name + "\n";
  for (const auto* values : {&graph.inputs, &graph.outputs, &graph.values}) {
    for (const GraphValue& value : *values) {
      text += fmt::format(
          "{} {} {}\n", value.name, static_cast<int>(value.type.type),
          value.type.shape ? FormatShape(*value.type.shape) : "?");
    }
  }
  return text + DigestText(graph.nodes) + DigestText(graph.constants);
}

std::string DigestText(const Fill& fill) {
  if (const auto* uniform = std::get_if<UniformFill>(&fill))
    return "uniform " + DigestText(uniform->bound);
  if (const auto* same = std::get_if<ConstantFill>(&fill))
    return "constant " + DigestText(same->value);
  if (const auto* given = std::get_if<BorrowedFill>(&fill)) {
    return "given " + ComputeSha256(std::string_view(
                          reinterpret_cast<const char*>(given->values.data()),
                          given->values.size_bytes()));
  }
  return "literal";
}

}  // namespace

std::string DraftDigest(const NetworkDraft& draft) {
  std::string text = fmt::format("{} {}\n", draft.seed, draft.opset);
  for (const OperatorSet& set : draft.other_operator_sets)
    text += fmt::format("{} {}\n", set.domain, set.version);
  text += DigestText(draft.graph);
  for (const auto& [name, fill] : draft.fills)
    text += name + " " + DigestText(fill) + "\n";
  return ComputeSha256(text).substr(0, 16);
}

}  // namespace mete
