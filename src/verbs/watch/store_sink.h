// Writes annotations to the store.
#pragma once

#include <memory>

#include "ports/profile_store.h"
#include "support/clock.h"
#include "watch/annotation_book.h"
#include "watch/annotation_sink.h"

namespace mete {

class StoreSink final : public AnnotationSink {
 public:
  // Reads the profiles in the store. Fails as the store does.
  static Result<std::unique_ptr<StoreSink>> Open(
      std::unique_ptr<ProfileStore> store, const Clock& clock);

  std::string name() const override { return "the store"; }
  LabelMap Current(const ObjectMeta& object) override {
    return book_.Find(object.ref);
  }
  std::vector<ObjectMeta> Abandoned(
      const std::vector<ObjectMeta>& present) override {
    return book_.Without(present);
  }
  // All in one transaction.
  std::vector<Status> Write(const std::vector<AnnotationPatch>& patches,
                            std::stop_token stop) override;

 private:
  StoreSink(std::unique_ptr<ProfileStore> store, const Clock& clock)
      : store_(std::move(store)), clock_(clock) {}

  std::unique_ptr<ProfileStore> store_;
  const Clock& clock_;
  AnnotationBook book_;
};

}  // namespace mete
