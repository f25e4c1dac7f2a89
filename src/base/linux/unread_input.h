// Finds out whether somebody has sent input that nobody has read.
#pragma once

namespace mete {

// Whether the descriptor is a file or pipe with something left to read. False
// for terminals and devices, and for a pipe that is open but empty.
bool HasUnreadInput(int descriptor);

}  // namespace mete
