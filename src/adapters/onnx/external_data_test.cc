#include "adapters/onnx/external_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "adapters/onnx/graph_reader.h"
#include "adapters/onnx/graph_reader_test_network.h"
#include "support/file.h"

namespace mete {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A folder that contains the network's folder and, next to it, a secret.
class ExternalData : public testing::Test {
 protected:
  ExternalData() : outer_(*ScratchFolder::Create()) {
    std::filesystem::create_directories(Folder() / "data");
    std::ofstream(outer_.path() / "secret") << "0123456789";
    std::ofstream(Folder() / "data" / "weights") << "0123456789";
  }

  std::filesystem::path Folder() const { return outer_.path() / "network"; }

  std::string Refusal(const ExternalReference& reference) const {
    auto range = ExternalFolder(Folder()).Locate(reference);
    return range.ok() ? "" : range.error().message();
  }

  ScratchFolder outer_;
};

TEST_F(ExternalData, IsFoundInsideTheFolder) {
  auto range = ExternalFolder(Folder()).Locate(
      {.location = "data/weights", .offset = 2, .length = 8});
  ASSERT_TRUE(range.ok()) << range.error().message();
  EXPECT_EQ(range->length, 8u);
}

TEST_F(ExternalData, ReachesToTheEndWithoutALength) {
  auto range = ExternalFolder(Folder()).Locate(
      {.location = "data/weights", .offset = 3});
  ASSERT_TRUE(range.ok());
  EXPECT_EQ(range->length, 7u);
}

TEST_F(ExternalData, IsRejectedOutsideTheFolder) {
  EXPECT_THAT(Refusal({.location = "../secret"}), HasSubstr("outside"));
  EXPECT_THAT(Refusal({.location = "data/../../secret"}), HasSubstr("outside"));
  EXPECT_THAT(Refusal({.location = (outer_.path() / "secret").string()}),
              HasSubstr("outside"));
}

TEST_F(ExternalData, IsRejectedBehindALinkThatLeavesTheFolder) {
  std::filesystem::create_symlink("../secret", Folder() / "link");
  EXPECT_THAT(Refusal({.location = "link"}), HasSubstr("outside"));
}

TEST_F(ExternalData, MayBeALinkThatStaysInside) {
  std::filesystem::create_symlink("data/weights", Folder() / "link");
  EXPECT_EQ(Refusal({.location = "link"}), "");
}

TEST_F(ExternalData, IsRejectedWhenMissingTooShortOrAFolder) {
  EXPECT_THAT(Refusal({.location = "absent"}), HasSubstr("no such file"));
  EXPECT_THAT(Refusal({.location = "data"}), HasSubstr("not a file"));
  EXPECT_EQ(Refusal({.location = "data/weights", .offset = 4, .length = 7}),
            "its external data ends at byte 11 of 'data/weights', which has "
            "10");
  EXPECT_THAT(Refusal({.location = "data/weights",
                       .offset = UINT64_MAX,
                       .length = UINT64_MAX}),
              HasSubstr("which has 10"));
}

// A network whose only initializer has its content in data/weights.
std::string NetworkWith(const std::string& location, int64_t size) {
  TestNetwork network;
  network.Input("x", {size}, onnx::TensorProto::UINT8);
  auto* tensor = network.graph().add_initializer();
  tensor->set_name("w");
  tensor->set_data_type(onnx::TensorProto::UINT8);
  tensor->add_dims(size);
  tensor->set_data_location(onnx::TensorProto::EXTERNAL);
  for (auto [key, value] :
       {std::pair<std::string, std::string>("location", location),
        {"offset", "2"},
        {"length", "3"}}) {
    auto* entry = tensor->add_external_data();
    entry->set_key(key);
    entry->set_value(value);
  }
  network.Node("Add", {"x", "w"}, {"y"});
  return network.Bytes();
}

TEST_F(ExternalData, OfASmallTensorIsRead) {
  std::filesystem::path path = Folder() / "net.onnx";
  std::ofstream(path) << NetworkWith("data/weights", 3);
  auto network = OnnxGraphReader().Read(path);
  ASSERT_TRUE(network.ok()) << network.error().message();
  EXPECT_EQ(network->graph.constants[0].stored_bytes, 3u);
  EXPECT_THAT(network->graph.constants[0].integers, ElementsAre('2', '3', '4'));
}

TEST_F(ExternalData, OfAWrongLengthIsCorrupt) {
  std::filesystem::path path = Folder() / "net.onnx";
  std::ofstream(path) << NetworkWith("data/weights", 4);
  auto network = OnnxGraphReader().Read(path);
  ASSERT_FALSE(network.ok());
  EXPECT_EQ(network.error().code(), ErrorCode::kCorrupt);
  EXPECT_THAT(network.error().message(),
              HasSubstr("tensor 'w': its sizes 4 of uint8 do not match its "
                        "content of 3 bytes"));
}

TEST_F(ExternalData, ThatLeavesTheFolderIsRejectedByTheReader) {
  std::filesystem::path path = Folder() / "net.onnx";
  std::ofstream(path) << NetworkWith("../secret", 3);
  auto network = OnnxGraphReader().Read(path);
  ASSERT_FALSE(network.ok());
  EXPECT_THAT(network.error().message(),
              HasSubstr("'../secret' is outside the network's folder"));
}

TEST_F(ExternalData, MayEndExactlyAtTheEndOfTheFile) {
  EXPECT_EQ(Refusal({.location = "data/weights", .offset = 10}), "");
  EXPECT_EQ(Refusal({.location = "data/weights", .offset = 4, .length = 6}),
            "");
  EXPECT_EQ(
      Refusal({.location = "data/weights", .offset = 4, .length = 7}),
      "its external data ends at byte 11 of 'data/weights', which has 10");
  EXPECT_THAT(Refusal({.location = "data/weights", .offset = 11}),
              HasSubstr("ends at byte 11"));
  EXPECT_THAT(
      Refusal({.location = "data/weights", .offset = 4, .length = UINT64_MAX}),
      HasSubstr("ends at byte 18446744073709551615"));
}

TEST_F(ExternalData, NeedsANameAndAFolder) {
  EXPECT_THAT(Refusal({.location = ""}), HasSubstr("cannot be located"));
  EXPECT_THAT(Refusal({.location = std::string("data\0", 5)}),
              HasSubstr("cannot be located"));
  EXPECT_FALSE(
      ExternalFolder(std::nullopt).Locate({.location = "data/weights"}).ok());
}

TEST(ExternalEntry, OffsetsAreWholeNumbers) {
  ExternalReference reference;
  EXPECT_TRUE(SetExternalEntry("offset", "12", reference).ok());
  EXPECT_TRUE(SetExternalEntry("length", "0", reference).ok());
  EXPECT_TRUE(SetExternalEntry("checksum", "x", reference).ok());
  EXPECT_EQ(reference.offset, 12u);
  EXPECT_EQ(reference.length, 0u);
  for (const char* text : {"", "-1", "1x", "x", "99999999999999999999"}) {
    EXPECT_FALSE(SetExternalEntry("offset", text, reference).ok()) << text;
  }
}

TEST_F(ExternalData, MustBeNamedWithoutDetours) {
  EXPECT_THAT(Refusal({.location = (Folder() / "data/weights").string()}),
              HasSubstr("outside"));
  EXPECT_THAT(Refusal({.location = "data/../data/weights"}),
              HasSubstr("outside"));
}

TEST_F(ExternalData, NeedsAFolderThatExists) {
  auto range = ExternalFolder(outer_.path() / "gone")
                   .Locate({.location = "data/weights"});
  ASSERT_FALSE(range.ok());
  EXPECT_EQ(range.error().code(), ErrorCode::kNotFound);
  EXPECT_THAT(range.error().message(),
              HasSubstr((outer_.path() / "gone").string() + ": no such file"));
}

TEST(ExternalEntry, AnErrorShowsFortyCharacters) {
  ExternalReference reference;
  Status status = SetExternalEntry("offset", std::string(41, 'x'), reference);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(
      status.error().message(),
      "external data at '" + std::string(40, 'x') + "', which is not a number");
}

}  // namespace
}  // namespace mete
