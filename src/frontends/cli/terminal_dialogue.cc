#include "cli/terminal_dialogue.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <iostream>

namespace mete {

bool CanAsk() {
  return isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1;
}

TerminalDialogue::TerminalDialogue(std::stop_token stop)
    : stopped_(eventfd(0, EFD_CLOEXEC)), on_stop_(std::move(stop), [this] {
        static_cast<void>(eventfd_write(stopped_.number(), 1));
      }) {}

void TerminalDialogue::Say(const std::string& line) {
  std::cerr << line << '\n';
}

std::optional<std::string> TerminalDialogue::Ask(const std::string& question) {
  std::cerr << question << std::flush;
  while (true) {
    size_t end = read_.find('\n');
    if (end != std::string::npos) {
      std::string answer = read_.substr(0, end);
      read_.erase(0, end + 1);
      return answer;
    }
    if (!ReadMore()) {
      std::cerr << '\n';  // end the line of the question
      return std::nullopt;
    }
  }
}

bool TerminalDialogue::ReadMore() {
  // Another thread handles Ctrl-C (interrupt.h), so it does not interrupt read.
  std::array<pollfd, 2> ends = {{{.fd = STDIN_FILENO, .events = POLLIN},
                                 {.fd = stopped_.number(), .events = POLLIN}}};
  while (poll(ends.data(), ends.size(), -1) < 0) {
    if (errno != EINTR) return false;
  }
  if (ends[1].revents != 0) return false;
  std::array<char, 4096> buffer;
  ssize_t got = 0;
  do {
    got = read(STDIN_FILENO, buffer.data(), buffer.size());
  } while (got < 0 && errno == EINTR);
  if (got <= 0) return false;
  read_.append(buffer.data(), static_cast<size_t>(got));
  return true;
}

}  // namespace mete
