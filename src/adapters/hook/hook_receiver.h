// Listens to applications: the datagrams of our hooks and the predecessor's
// stream, on two sockets in one folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "adapters/hook/hook_senders.h"
#include "adapters/hook/legacy_stream.h"
#include "adapters/hook/listening_socket.h"
#include "ports/app_event_sink.h"
#include "ports/app_listener.h"
#include "support/clock.h"
#include "support/descriptor.h"
#include "support/result.h"

namespace mete {

struct HookReceiverRequest {
  std::filesystem::path folder;  // exists; mount it as /metrics for old apps
  SocketAccess access = SocketAccess::kOwner;
  // Called on the receiver's thread, once for each kind of trouble.
  std::function<void(const std::string&)> warn = [](const std::string&) {};
};

// What arrived and could not be used, besides the losses the sink is told of.
struct HookReceiverCounts {
  uint64_t datagrams = 0;
  uint64_t messages = 0;   // of the predecessor's wire
  uint64_t malformed = 0;  // datagrams and messages
  uint64_t oversized = 0;  // datagrams and messages above 64 KiB
  uint64_t refused = 0;    // connections beyond the limit
};

// Receives on a thread of its own from Open() to Stop().
class HookReceiver final : public AppListener {
 public:
  static constexpr size_t kMostConnections = 64;

  // `sink` and `clock` must outlive the receiver. Fails as
  // ListeningSocket::Bind does.
  static Result<std::unique_ptr<HookReceiver>> Open(HookReceiverRequest request,
                                                    AppEventSink& sink,
                                                    const Clock& clock);
  ~HookReceiver() override;

  // Takes in what has been sent so far, then ends. Afterwards the sink is not
  // called any more. Does nothing the second time.
  void Stop() override;

  // What METE_HOOK_SOCKET must say; and where the predecessor's library
  // connects to.
  const std::filesystem::path& path() const override {
    return datagrams_.path();
  }
  const std::filesystem::path& legacy_path() const { return streams_.path(); }
  // From any thread.
  HookReceiverCounts counts() const;

 private:
  struct Connection {
    Descriptor descriptor;
    int sender = 0;
    LegacySplitter splitter;
  };
  struct Sockets {
    ListeningSocket datagrams;
    ListeningSocket streams;
    Descriptor wake;
  };
  HookReceiver(HookReceiverRequest request, AppEventSink& sink,
               const Clock& clock, Sockets sockets);

  void Run(const std::stop_token& stop);
  void Wait();
  void ReadOnce();
  void ReadDatagrams();
  // `sender` is its process, by the kernel's word.
  void TakeDatagram(std::string_view bytes, int sender);
  void AcceptConnections();
  // False when the other side has closed.
  bool ReadConnection(Connection& connection);
  void TakeMessage(const std::string& text, int sender);
  void Count(uint64_t HookReceiverCounts::*counter, uint64_t more = 1);
  void Warn(const std::string& kind, const std::string& detail);

  const HookReceiverRequest request_;
  AppEventSink& sink_;
  const Clock& clock_;
  ListeningSocket datagrams_;
  ListeningSocket streams_;
  Descriptor wake_;
  std::vector<char> buffer_;
  HookSenders senders_;
  std::list<Connection> connections_;
  std::set<std::string> warned_;
  // accept() failed for want of descriptors: the listener rests till then.
  std::chrono::nanoseconds accept_again_{};
  mutable std::mutex mutex_;
  HookReceiverCounts counts_;  // guarded by mutex_
  std::jthread thread_;        // last: it uses all of the above
};

}  // namespace mete
