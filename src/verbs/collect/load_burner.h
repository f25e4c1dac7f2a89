// Keeps a chosen share of the CPUs busy, as many light programs would.
#pragma once

#include <atomic>
#include <condition_variable>
#include <iosfwd>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace mete {

// Runs eight threads per core, each working in short slices for an eighth of
// the load. One thread that needs 80 % of a core gets 50 % beside another that
// needs all of it. Eight threads that need 10 % each stay below their fair
// share of 11 % beside a ninth, so they get all they need.
class LoadBurner {
 public:
  static constexpr int kThreadsPerCore = 8;

  explicit LoadBurner(int cores);
  LoadBurner(const LoadBurner&) = delete;
  LoadBurner& operator=(const LoadBurner&) = delete;
  ~LoadBurner() = default;  // stops and joins the threads

  // Uses as much CPU time as `cpus` CPUs from now on.
  void Burn(double cpus);

  // Executes one order of collect/worker_protocol.h and returns the reply.
  std::string Answer(const std::string& line);
  // Answers orders until the input ends.
  void Serve(std::istream& input, std::ostream& output);

 private:
  void Work(size_t index, const std::stop_token& stop);
  // Waits until there is work again.
  void Rest(const std::stop_token& stop);

  std::atomic<double> share_{0};  // of one CPU, for each thread
  std::mutex mutex_;
  std::condition_variable_any changed_;
  size_t count_;
  std::vector<std::jthread> threads_;
};

}  // namespace mete
