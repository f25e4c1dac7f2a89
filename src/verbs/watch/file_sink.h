// Writes annotations to a JSON file, for machines without Kubernetes.
#pragma once

#include <filesystem>

#include "watch/annotation_book.h"
#include "watch/annotation_sink.h"

namespace mete {

// The file is a list of objects with kind, namespace, name and annotations, and
// is replaced as a whole. A profile is JSON inside JSON, not text.
class FileSink final : public AnnotationSink {
 public:
  // Reads the file if it exists. Fails with kCorrupt if it is something else.
  static Result<FileSink> Open(const std::filesystem::path& file);

  std::string name() const override { return file_.string(); }
  LabelMap Current(const ObjectMeta& object) override {
    return book_.Find(object.ref);
  }
  std::vector<ObjectMeta> Abandoned(
      const std::vector<ObjectMeta>& present) override {
    return book_.Without(present);
  }
  std::vector<Status> Write(const std::vector<AnnotationPatch>& patches,
                            std::stop_token stop) override;

 private:
  explicit FileSink(std::filesystem::path file) : file_(std::move(file)) {}

  std::filesystem::path file_;
  AnnotationBook book_;
};

}  // namespace mete
