#include "adapters/hook/hook_senders.h"

#include <algorithm>

namespace mete {

uint64_t HookSenders::MissingBefore(const HookHeader& header) {
  const std::pair key(header.pid, header.session);
  if (!senders_.contains(key) && senders_.size() >= kMostSenders) ForgetOne();
  Sender& sender = senders_[key];  // a session starts at 0
  sender.heard = ++datagrams_;
  // A sequence that decreases is a mistake of the sender, not a loss; so is a
  // jump that no application can have made between two datagrams.
  constexpr uint64_t kLargestGap = 1u << 30;
  uint64_t missing =
      header.sequence > sender.expected ? header.sequence - sender.expected : 0;
  if (missing > kLargestGap) missing = 0;
  sender.expected = header.sequence + header.records;
  return missing;
}

void HookSenders::ForgetOne() {
  auto silent = std::ranges::min_element(
      senders_, {}, [](const auto& entry) { return entry.second.heard; });
  senders_.erase(silent);
}

}  // namespace mete
