#include "adapters/host/speed.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <future>
#include <latch>
#include <memory>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace mete {
namespace {

// Makes the compiler assume that the memory is read.
void Observe(const void* memory) {
  asm volatile("" : : "g"(memory) : "memory");
}

// One thread's part of a trial. Prepare may fail for lack of memory and is not
// timed; Work returns the amount of work in operations or bytes.
class Load {
 public:
  virtual ~Load() = default;
  virtual bool Prepare() = 0;
  virtual double Work() = 0;
};

// 48 independent chains fill the pipelines of today's cores and still fit, with
// the two constants, into sixteen registers of four floats.
class MultiplyAdd final : public Load {
 public:
  bool Prepare() override {
    for (size_t i = 0; i < kLanes; ++i) x_[i] = static_cast<float>(i);
    return true;
  }

  double Work() override {
    // x converges to b / (1 - a) = 1: neither overflow nor denormals slow it
    // down.
    const float a = a_;
    const float b = b_;
    std::array<float, kLanes> x = x_;
    for (int round = 0; round < kRounds; ++round) {
      for (size_t i = 0; i < kLanes; ++i) x[i] = x[i] * a + b;
    }
    x_ = x;
    Observe(x_.data());
    return 2.0 * kRounds * kLanes;
  }

 private:
  static constexpr size_t kLanes = 48;
  static constexpr int kRounds = 20000;
  std::array<float, kLanes> x_{};
  // Volatile, so that the compiler cannot precompute the result.
  volatile float a_ = 0.999F;
  volatile float b_ = 0.001F;
};

class Triad final : public Load {
 public:
  explicit Triad(Bytes array)
      : size_(std::max<size_t>(1, array.count / sizeof(double))) {}

  bool Prepare() override {
    for (auto* array : {&a_, &b_, &c_}) {
      array->reset(new (std::nothrow) double[size_]);
      if (*array == nullptr) return false;
      // First touched by the thread that uses it, hence in its NUMA node.
      std::fill_n(array->get(), size_, 1.0);
    }
    return true;
  }

  double Work() override {
    double* a = a_.get();
    const double* b = b_.get();
    const double* c = c_.get();
    const double s = 3.0;
    for (size_t i = 0; i < size_; ++i) a[i] = b[i] + s * c[i];
    Observe(a);
    return 3.0 * sizeof(double) * static_cast<double>(size_);
  }

 private:
  size_t size_;
  std::unique_ptr<double[]> a_, b_, c_;
};

using LoadMaker = std::function<std::unique_ptr<Load>()>;

// Work per second of one thread, from the common start.
double Rate(Load& load, const Clock& clock, Seconds trial) {
  const Seconds start = clock.Now();
  double done = 0;
  Seconds elapsed{0};
  do {
    done += load.Work();
    elapsed = clock.Now() - start;
  } while (elapsed < trial);
  return done / elapsed.count();
}

// Threads that prepare, start together, and add up their rates.
class Trial {
 public:
  Trial(const SpeedRequest& request, const Clock& clock)
      : request_(request),
        clock_(clock),
        prepared_(request.threads),
        go_(start_.get_future()),
        rates_(static_cast<size_t>(request.threads), 0) {}

  Result<double> Run(const LoadMaker& make) {
    std::vector<std::jthread> threads;
    try {
      for (size_t i = 0; i < rates_.size(); ++i) {
        threads.emplace_back([this, i, &make] { RunThread(i, make); });
      }
    } catch (const std::system_error& error) {
      start_.set_value(false);  // threads that already wait must end
      return SystemError("start a thread", error.code().value());
    }
    prepared_.wait();
    start_.set_value(!short_of_memory_);
    threads.clear();  // joins
    if (short_of_memory_) return Unavailable("not enough memory");
    double sum = 0;
    for (double rate : rates_) sum += rate;
    return sum;
  }

 private:
  void RunThread(size_t index, const LoadMaker& make) {
    std::unique_ptr<Load> load = make();
    if (!load->Prepare()) short_of_memory_ = true;
    prepared_.count_down();
    std::shared_future<bool> go = go_;
    if (go.get()) rates_[index] = Rate(*load, clock_, request_.trial);
  }

  const SpeedRequest& request_;
  const Clock& clock_;
  std::latch prepared_;
  std::promise<bool> start_;
  std::shared_future<bool> go_;
  std::atomic<bool> short_of_memory_ = false;
  std::vector<double> rates_;  // each thread writes its own
};

Result<double> BestTrial(const SpeedRequest& request, const Clock& clock,
                         const LoadMaker& make) {
  CHECK(request.threads >= 1 && request.trials >= 1);
  double best = 0;
  for (int i = 0; i < request.trials; ++i) {
    ASSIGN_OR_RETURN(double rate, Trial(request, clock).Run(make));
    best = std::max(best, rate);
  }
  return best;
}

}  // namespace

Result<double> MeasureOperations(const SpeedRequest& request,
                                 const Clock& clock) {
  return BestTrial(request, clock,
                   [] { return std::make_unique<MultiplyAdd>(); })
      .While("measure operations per second");
}

Result<double> MeasureBandwidth(const SpeedRequest& request,
                                const Clock& clock) {
  return BestTrial(request, clock,
                   [&] { return std::make_unique<Triad>(request.array); })
      .While("measure memory bandwidth");
}

}  // namespace mete
