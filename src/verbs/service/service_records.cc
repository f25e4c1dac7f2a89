#include "service/service_records.h"

namespace mete {

void ServiceRecords::Add(const ServiceRecord& record) {
  std::lock_guard lock(mutex_);
  if (ring_.size() < most_) {
    ring_.push_back(record);
    return;
  }
  ring_[oldest_] = record;
  oldest_ = (oldest_ + 1) % most_;
  ++dropped_;
}

ServiceHistory ServiceRecords::Read() const {
  std::lock_guard lock(mutex_);
  ServiceHistory history{.records = {}, .dropped = dropped_};
  history.records.reserve(ring_.size());
  for (size_t i = 0; i < ring_.size(); ++i) {
    history.records.push_back(ring_[(oldest_ + i) % ring_.size()]);
  }
  return history;
}

size_t ServiceRecords::Flush() {
  std::lock_guard lock(mutex_);
  const size_t count = ring_.size();
  ring_.clear();
  oldest_ = 0;
  dropped_ = 0;
  return count;
}

}  // namespace mete
