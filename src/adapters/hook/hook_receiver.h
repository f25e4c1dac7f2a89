// Receives metrics from applications: the datagrams of our hooks and WaAP's
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

// Where to listen, and for whom.
struct HookReceiverRequest {
  // must exist; mount it as /metrics for WaAP apps
  std::filesystem::path folder;
  SocketAccess access = SocketAccess::kOwner;
  // Called on the receiver's thread, once for each kind of problem.
  std::function<void(const std::string&)> warn = [](const std::string&) {};
};

// Statistics of received data, besides the losses reported to the sink.
struct HookReceiverCounts {
  uint64_t datagrams = 0;
  uint64_t messages = 0;   // on WaAP's stream
  uint64_t malformed = 0;  // datagrams and messages
  uint64_t oversized = 0;  // datagrams and messages above 64 KiB
  uint64_t refused = 0;    // connections beyond the limit
};

// Receives on its own thread from Open() to Stop().
class HookReceiver final : public AppListener {
 public:
  static constexpr size_t kMostConnections = 64;

  // `sink` and `clock` must outlive the receiver. Fails like
  // ListeningSocket::Bind.
  static Result<std::unique_ptr<HookReceiver>> Open(HookReceiverRequest request,
                                                    AppEventSink& sink,
                                                    const Clock& clock);
  ~HookReceiver() override;

  // Processes everything sent so far, then ends. The sink is not called
  // afterwards. A second call does nothing.
  void Stop() override;

  // The value for METE_HOOK_SOCKET; legacy_path() is where WaAP's library
  // connects.
  const std::filesystem::path& path() const override {
    return datagrams_.path();
  }
  const std::filesystem::path& legacy_path() const { return streams_.path(); }
  // Thread-safe.
  HookReceiverCounts counts() const;

 private:
  // A connected WaAP application.
  struct Connection {
    Descriptor descriptor;
    int sender = 0;
    LegacySplitter splitter;
  };
  // Sockets that Open() created.
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
  // `sender` is the pid reported by the kernel.
  void TakeDatagram(std::string_view bytes, int sender);
  void AcceptConnections();
  // Returns false when the other side has closed.
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
  // accept() ran out of descriptors: do not try again before this time.
  std::chrono::nanoseconds accept_again_{};
  mutable std::mutex mutex_;
  HookReceiverCounts counts_;  // guarded by mutex_
  std::jthread thread_;        // last: it uses all of the above
};

}  // namespace mete
