#include "inference/kserve_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace mete {
namespace {

using testing::HasSubstr;

template <typename Element>
std::vector<Element> Elements(const TensorValue& tensor) {
  std::vector<Element> elements(tensor.bytes.size() / sizeof(Element));
  std::memcpy(elements.data(), tensor.bytes.data(), tensor.bytes.size());
  return elements;
}

TensorValue Floats(const std::string& name, const std::vector<float>& values) {
  TensorValue tensor{.name = name,
                     .type = ElementType::kFloat,
                     .sizes = {static_cast<int64_t>(values.size())},
                     .bytes = std::vector<std::byte>(values.size() * 4)};
  std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
  return tensor;
}

std::string Complaint(const std::string& body) {
  auto request = ParseKserveRequest(body);
  return request.ok() ? "" : request.error().message();
}

// A request with one input whose type, shape and data are given.
std::string OneInput(const std::string& type, const std::string& shape,
                     const std::string& data) {
  return R"({"inputs":[{"name":"x","datatype":")" + type + R"(","shape":)" +
         shape + R"(,"data":)" + data + "}]}";
}

TEST(KserveJson, ReadsFlatAndNestedData) {
  for (const char* data : {"[1,2,3,4]", "[[1,2],[3,4]]"}) {
    auto request = ParseKserveRequest(OneInput("FP32", "[2,2]", data));
    ASSERT_TRUE(request.ok()) << request.error().message();
    EXPECT_EQ(request->inputs[0].sizes, (std::vector<int64_t>{2, 2}));
    EXPECT_EQ(Elements<float>(request->inputs[0]),
              (std::vector<float>{1, 2, 3, 4}));
  }
}

TEST(KserveJson, ReadsEveryDatatype) {
  for (const char* type : {"BOOL", "UINT8", "UINT16", "UINT32", "UINT64",
                           "INT8", "INT16", "INT32", "INT64", "FP32", "FP64"}) {
    auto request = ParseKserveRequest(OneInput(type, "[2]", "[0,1]"));
    ASSERT_TRUE(request.ok()) << request.error().message();
    EXPECT_EQ(KserveType(request->inputs[0].type), type);
  }
}

TEST(KserveJson, KeepsLargeIntegersExactly) {
  auto request =
      ParseKserveRequest(OneInput("UINT64", "[1]", "[18446744073709551615]"));
  EXPECT_EQ(Elements<uint64_t>(request->inputs[0])[0],
            std::numeric_limits<uint64_t>::max());
}

TEST(KserveJson, RejectsNumbersThatDoNotFitTheirType) {
  for (const auto& [type, number] :
       std::vector<std::pair<std::string, std::string>>{{"INT8", "128"},
                                                        {"UINT8", "-1"},
                                                        {"INT64", "1.5"},
                                                        {"FP32", "\"1\""},
                                                        {"BOOL", "2"}}) {
    EXPECT_EQ(Complaint(OneInput(type, "[1]", "[" + number + "]")),
              "read request: input x: an element of data does not fit its "
              "datatype")
        << type;
  }
}

TEST(KserveJson, RejectsDataThatDoNotFillTheShape) {
  EXPECT_EQ(Complaint(OneInput("FP32", "[2,3]", "[1,2,3]")),
            "read request: input x: data does not have as many elements as "
            "shape 2x3");
  EXPECT_THAT(Complaint(OneInput("FP32", "[-1]", "[1]")),
              HasSubstr("as many elements as shape"));
  EXPECT_THAT(Complaint(OneInput("FP32", "[1]", "5")),
              HasSubstr("data is not a list"));
}

TEST(KserveJson, RejectsSizesThatAreNoWholeNumbers) {
  for (const char* shape : {"[1.5]", "[1e300]", "[true]", "[[1]]", "[\"1\"]",
                            "[9223372036854775808]"}) {
    EXPECT_THAT(Complaint(OneInput("FP32", shape, "[1]")),
                testing::HasSubstr("not a whole number"))
        << shape;
  }
}

TEST(KserveJson, NamesWhatItDoesNotSupport) {
  EXPECT_THAT(Complaint(OneInput("BYTES", "[1]", "[\"a\"]")),
              HasSubstr("datatype BYTES is not supported"));
  EXPECT_THAT(Complaint(OneInput("FP31", "[1]", "[1]")),
              HasSubstr("unknown datatype 'FP31'"));
}

TEST(KserveJson, RejectsWhatIsNoRequest) {
  EXPECT_THAT(Complaint("{"), HasSubstr("not valid JSON"));
  EXPECT_THAT(Complaint("{}"), HasSubstr("inputs"));
  EXPECT_NE(Complaint("[]"), "");
  EXPECT_NE(Complaint(R"({"inputs":[{}]})"), "");
  EXPECT_NE(Complaint(R"({"inputs":5})"), "");
  EXPECT_NE(Complaint(R"({"inputs":[],"id":5})"), "");
}

// A short request must not be answered with gigabytes.
TEST(KserveJson, RejectsAnOutputThatIsAskedForTwice) {
  auto ask = [](const std::string& outputs) {
    return Complaint(R"({"inputs":[],"outputs":[)" + outputs + "]}");
  };
  EXPECT_EQ(ask(R"({"name":"y"},{"name":"z"})"), "");
  EXPECT_THAT(ask(R"({"name":"y"},{"name":"z"},{"name":"y"})"),
              HasSubstr("output 'y' is asked for twice"));
}

TEST(KserveJson, WritesTheShortestNumbersThatReadBackTheSame) {
  auto text = WriteKserveReply("net", {.id = "7"}, {Floats("y", {0.1F, 2})});
  EXPECT_EQ(
      *text,
      R"({"model_name":"net","id":"7","outputs":[{"name":"y","shape":[2],)"
      R"("datatype":"FP32","data":[0.1,2]}]})"
      "\n");
}

TEST(KserveJson, WritesNullForNumbersJsonLacks) {
  auto text = WriteKserveReply("net", {}, {Floats("y", {NAN, INFINITY, 1})});
  EXPECT_THAT(*text, HasSubstr("[null,null,1]"));
}

TEST(KserveJson, ReturnsTheOutputsThatWereAskedFor) {
  const std::vector<TensorValue> outputs{Floats("y", {1}), Floats("z", {2})};
  auto text = WriteKserveReply("net", {.outputs = {"z"}}, outputs);
  EXPECT_THAT(*text, HasSubstr("\"z\""));
  EXPECT_THAT(*text, Not(HasSubstr("\"y\"")));
  EXPECT_EQ(
      WriteKserveReply("net", {.outputs = {"w"}}, outputs).error().message(),
      "the network has no output 'w'");
}

TEST(KserveJson, FailsForAnOutputWithoutJsonForm) {
  const TensorValue half{
      .name = "h", .type = ElementType::kFloat16, .sizes = {0}, .bytes = {}};
  EXPECT_EQ(WriteKserveReply("net", {}, {half}).error().code(),
            ErrorCode::kUnsupported);
}

// Parsing takes many times the memory of short numbers.
TEST(KserveJson, RefusesMillionsOfValuesBeforeItParsesThem) {
  std::string body(size_t{8} << 20, ',');
  EXPECT_EQ(Complaint(body),
            "the request has more than 8,388,608 values; send fewer at a time");
  body.pop_back();
  EXPECT_THAT(Complaint(body), HasSubstr("not valid JSON"));
}

}  // namespace
}  // namespace mete
