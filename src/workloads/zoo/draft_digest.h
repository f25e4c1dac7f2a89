// Identifies a draft by everything that decides the bytes of its file.
#pragma once

#include <string>

#include "domain/network_draft.h"

namespace mete {

// 16 hex digits of a SHA-256. Equal drafts have equal digests.
std::string DraftDigest(const NetworkDraft& draft);

}  // namespace mete
