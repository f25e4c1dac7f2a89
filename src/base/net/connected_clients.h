// Which clients of a server are connected, and whom to disconnect to make room.
#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <string>

#include "net/connection.h"

namespace mete {

// All connected clients, in the order of their last progress: sending a part of
// a request, or receiving a part of a response.
class ConnectedClients {
 public:
  // One connection.
  struct Client {
    PlainStream* stream;
    std::string address;  // shared by all connections of one machine
    bool busy = false;    // its request is being handled; never disconnected
    bool leaving = false;
  };
  using Place = std::list<Client>::iterator;

  size_t count() const { return clients_.size() - leaving_; }

  Place Add(PlainStream& stream, std::string address) {
    return clients_.insert(clients_.end(),
                           {.stream = &stream, .address = std::move(address)});
  }
  void Remove(Place place) {
    if (place->leaving) --leaving_;
    clients_.erase(place);
  }
  // Iterators stay valid.
  void Progress(Place place) {
    clients_.splice(clients_.end(), clients_, place);
  }

  // Disconnects one client to make room: of the address with the most
  // connections, the one without progress for longest. Returns false when all
  // are busy. So neither clients that trickle, announce bodies or do not read,
  // nor a single machine with many connections can keep others out.
  bool MakeRoom() {
    std::map<std::string_view, size_t> shares;
    for (const Client& client : clients_) {
      if (!client.leaving) ++shares[client.address];
    }
    Client* chosen = nullptr;
    size_t share = 0;
    for (Client& client : clients_) {
      if (client.busy || client.leaving) continue;
      if (shares[client.address] <= share) continue;
      chosen = &client;
      share = shares[client.address];
    }
    if (chosen == nullptr) return false;
    chosen->leaving = true;
    ++leaving_;
    chosen->stream->close();  // its coroutine ends soon after
    return true;
  }

 private:
  std::list<Client> clients_;  // without progress for longest first
  size_t leaving_ = 0;
};

// Registers one client while it is connected.
class Slot {
 public:
  Slot(ConnectedClients& clients, PlainStream& stream, std::string address)
      : clients_(clients), place_(clients.Add(stream, std::move(address))) {}
  Slot(const Slot&) = delete;
  Slot& operator=(const Slot&) = delete;
  ~Slot() { clients_.Remove(place_); }

  const std::string& address() const { return place_->address; }
  void Progress() { clients_.Progress(place_); }
  // While its request is being handled.
  void SetBusy(bool busy) {
    place_->busy = busy;
    Progress();
  }

 private:
  ConnectedClients& clients_;
  ConnectedClients::Place place_;
};

}  // namespace mete
