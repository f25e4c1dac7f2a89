// Which clients of a server are connected, and whom to disconnect to make room.
#pragma once

#include <cstddef>
#include <list>

#include "net/connection.h"

namespace mete {

// All connected clients. Those that have not sent a whole request yet are
// waiting, in the order in which they started to wait.
class ConnectedClients {
 public:
  struct Client {
    PlainStream* stream;
    bool waiting = true;
  };
  using Place = std::list<Client>::iterator;

  size_t count() const { return waiting_.size() + working_.size(); }

  Place Add(PlainStream& stream) {
    return waiting_.insert(waiting_.end(), {.stream = &stream});
  }
  void Remove(Place place) {
    (place->waiting ? waiting_ : working_).erase(place);
  }
  // Iterators stay valid.
  void Move(Place place, bool waiting) {
    auto& from = place->waiting ? waiting_ : working_;
    auto& to = waiting ? waiting_ : working_;
    to.splice(to.end(), from, place);
    place->waiting = waiting;
  }

  // Disconnects the longest waiting client to make room; false when none is
  // waiting. So clients that trickle a request cannot keep others out.
  bool LetLongestWaitingGo() {
    if (waiting_.empty()) return false;
    waiting_.front().stream->close();  // its coroutine ends soon after
    Move(waiting_.begin(), false);
    return true;
  }

 private:
  std::list<Client> waiting_;
  std::list<Client> working_;
};

// Registers one client while it is connected.
class Slot {
 public:
  Slot(ConnectedClients& clients, PlainStream& stream)
      : clients_(clients), place_(clients.Add(stream)) {}
  Slot(const Slot&) = delete;
  Slot& operator=(const Slot&) = delete;
  ~Slot() { clients_.Remove(place_); }

  void Wait() { clients_.Move(place_, true); }
  void Work() { clients_.Move(place_, false); }

 private:
  ConnectedClients& clients_;
  ConnectedClients::Place place_;
};

}  // namespace mete
