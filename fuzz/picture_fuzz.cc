// Decodes arbitrary bytes as a picture. An accepted one must have all its
// pixels and become the input of a network.
#include "adapters/images/stb_image_reader.h"
#include "fuzz/input.h"
#include "measure/picture_tensor.h"
#include "support/check.h"
#include "support/file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  static const mete::ScratchFolder folder = *mete::ScratchFolder::Create();
  const auto file = folder.path() / "picture";
  CHECK(mete::WriteFileAtomically(file, fuzz::ToText(bytes, size)).ok());
  mete::StbImageReader reader;
  auto picture = reader.Read(file);
  if (!picture.ok()) return 0;
  const auto pixels = size_t(picture->width) * size_t(picture->height);
  CHECK(picture->width > 0 && picture->height > 0);
  CHECK(picture->rgb.size() == 3 * pixels);
  // Resizing takes seconds beyond this.
  if (pixels > 1'000'000) return 0;
  auto input = mete::Preprocess(*picture, {.height = 16, .width = 8}, reader);
  CHECK(!input.ok() || input->size() == size_t{3} * 16 * 8);
  return 0;
}
