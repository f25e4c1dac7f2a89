#include "cli/hangup.h"

#include <atomic>
#include <csignal>

namespace mete {
namespace {

// A signal handler can reach only what is static.
std::atomic<bool> hung_up = false;

void NoteHangup(int) { hung_up = true; }

}  // namespace

HangupWatch::HangupWatch() {
  hung_up = false;
  std::signal(SIGHUP, NoteHangup);
}

HangupWatch::~HangupWatch() { std::signal(SIGHUP, SIG_DFL); }

bool HangupWatch::Take() { return hung_up.exchange(false); }

}  // namespace mete
