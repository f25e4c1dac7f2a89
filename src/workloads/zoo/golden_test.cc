// Drafts must be identical on every machine and after every change of the code:
// predictors are trained on them, and runs are compared by network. If you
// change one on purpose, say so in the changelog.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/sha256.h"
#include "zoo/applications.h"
#include "zoo/draft_digest.h"
#include "zoo/sample.h"
#include "zoo/zoo.h"

namespace mete {
namespace {

double ToNumber(const Fill& fill) {
  if (const auto* uniform = std::get_if<UniformFill>(&fill))
    return uniform->bound;
  if (const auto* same = std::get_if<ConstantFill>(&fill)) return same->value;
  return 0;
}

// Everything that decides the bytes of a network, to the last bit of its
// bounds.
std::string Text(const NetworkDraft& draft) {
  std::string text = fmt::format("{} {}\n", draft.graph.name, draft.seed);
  for (const Node& node : draft.graph.nodes)
    text += fmt::format("{} {}\n", node.op, fmt::join(node.inputs, " "));
  for (const Constant& constant : draft.graph.constants) {
    auto fill = draft.fills.find(constant.name);
    text += fmt::format("{} {} {:a} {:a}\n", constant.name,
                        fmt::join(constant.sizes, "x"),
                        fill == draft.fills.end() ? 0 : ToNumber(fill->second),
                        constant.reals.empty() ? 0 : constant.reals[0]);
  }
  return text;
}

TEST(Golden, TheZooIsTheSameOnEveryMachine) {
  std::string text;
  for (const std::string& name : ZooNames()) text += Text(*MakeDraft(name, 0));
  EXPECT_EQ(ComputeSha256(text),
            "74021b86fe2c626e79d17803fab3e3186ca5ce50bc84af4b213f6d17417f7531");
}

TEST(Golden, SamplesAreTheSameOnEveryMachine) {
  std::string text;
  for (size_t i = 0; i < SampleKinds().size(); ++i)
    text += Text(SampleDraft(0, i));
  EXPECT_EQ(ComputeSha256(text),
            "52c6d53843d15dd52c14c5bdd7cf025e8dbdb0f84edba6b6bbfbec855ef4593a");
}

TEST(Golden, ApplicationsAreTheSameOnEveryMachine) {
  std::string text;
  for (const std::string& name : ApplicationNames())
    text += DraftDigest(*MakeDraft(name, 0)) + "\n";
  EXPECT_EQ(ComputeSha256(text),
            "6bef0915686a1dfbf0b72b4872698eb9c3c7a73b99d0a96889ef3f729d9b88dc");
}

}  // namespace
}  // namespace mete
