// Keeps processors busy by a chosen share, as many light programs would.
#pragma once

#include <atomic>
#include <condition_variable>
#include <iosfwd>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace mete {

// Eight threads a core, each working in short slices for its eighth. One
// thread that wants 80 % of a core gets 50 % beside another that wants all of
// it; eight that want 10 % each ask for less than the 11 % that are theirs
// beside a ninth, and get them.
class LoadBurner {
 public:
  static constexpr int kThreadsPerCore = 8;

  explicit LoadBurner(int cores);
  LoadBurner(const LoadBurner&) = delete;
  LoadBurner& operator=(const LoadBurner&) = delete;
  ~LoadBurner() = default;  // the threads are asked to stop and waited for

  // From now on as much CPU time as so many processors would use.
  void Burn(double cpus);

  // The answer to one order of collect/worker_protocol.h.
  std::string Answer(const std::string& line);
  // Until the input ends.
  void Serve(std::istream& input, std::ostream& output);

 private:
  void Work(size_t index, const std::stop_token& stop);
  // Until there is something to do again.
  void Rest(const std::stop_token& stop);

  std::atomic<double> share_{0};  // of one processor, for each thread
  std::mutex mutex_;
  std::condition_variable_any changed_;
  size_t count_;
  std::vector<std::jthread> threads_;
};

}  // namespace mete
