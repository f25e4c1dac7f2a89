// Tests the prediction routes with a fake predictor and fixed nodes, without a
// socket.
#include "serve/prediction_api.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "support/file.h"
#include "support/json.h"
#include "support/random.h"
#include "tests/fakes/fake_predictor.h"
#include "tests/fakes/fixed_nodes.h"

namespace mete {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// Reads "a network" as one Gemm of 4 x 3, "an open network" as one of open
// size, and "a network of constants" as one whose weight is a Constant node.
class OneNetworkReader final : public GraphReader {
 public:
  Result<Network> ReadWithin(const std::filesystem::path& path,
                             const GraphLimits&) override {
    auto text = ReadFile(path);
    bool open = text.ok() && *text == "an open network";
    bool constants = text.ok() && *text == "a network of constants";
    if (!text.ok() || (*text != "a network" && !open && !constants)) {
      return Corrupt(path.string() + ": not an ONNX file");
    }
    Network network{.path = path.string(), .sha256 = "abc"};
    network.operator_sets = {{.domain = "", .version = 13}};
    auto value = [](const char* name, int64_t columns) {
      GraphValue made{.name = name};
      made.type.type = ElementType::kFloat;
      made.type.shape = Shape{{.size = 1}, {.size = columns}};
      return made;
    };
    network.graph.inputs = {value("x", 4)};
    if (open) network.graph.inputs[0].type.shape = Shape{{.size = 1}, {}};
    network.graph.outputs = {value("y", 3)};
    network.graph.constants = {{.name = "w",
                                .type = ElementType::kFloat,
                                .sizes = {4, 3},
                                .stored_bytes = 48}};
    network.graph.nodes = {
        {.name = "gemm", .op = "Gemm", .inputs = {"x", "w"}, .outputs = {"y"}}};
    if (constants) {
      network.graph.nodes.insert(
          network.graph.nodes.begin(),
          {.op = "Constant",
           .outputs = {"w"},
           .attributes = {{"value", network.graph.constants[0]}}});
      network.graph.constants.clear();
    }
    return network;
  }
};

// Remembers what it was asked to start.
class NotingServices final : public ServiceHost {
 public:
  Result<HostedService> Start(const ServiceOrder& order,
                              std::stop_token) override {
    if (broken) return Unavailable("no engine");
    started.push_back(order);
    return HostedService{.id = "a1",
                         .order = order,
                         .state = HostedService::State::kRunning,
                         .url = "http://127.0.0.1:4000"};
  }
  Result<std::vector<HostedService>> List(std::stop_token) override {
    return listed;
  }
  Status Stop(const std::string& id, std::stop_token) override {
    if (id != "a1") return NotFound("there is no service '" + id + "'");
    return {};
  }

  bool broken = false;
  std::vector<ServiceOrder> started;
  std::vector<HostedService> listed = {{.id = "a1"}};
};

ClusterNode Machine(const std::string& name, int cores, double load) {
  ClusterNode node{.name = name,
                   .kind = "Computer",
                   .uuid = "uuid-of-" + name,
                   .device_model = "Board of " + name};
  node.facts.cores = cores;
  node.load = load;
  return node;
}

class PredictionApiTest : public testing::Test {
 protected:
  PredictionApiTest() {
    nodes_.snapshot.nodes = {Machine("rpi-1", 4, 0.5),
                             Machine("rpi-2", 4, 0.1)};
  }

  HttpReply Ask(const std::string& target, const std::string& body,
                const std::string& type = "application/json",
                HttpFields more = {}) {
    Router router;
    AddPredictionRoutes(
        {.predictors = [this]() -> Result<std::shared_ptr<const PredictorSet>> {
           if (!trained_) return Unavailable("no predictor yet");
           return std::make_shared<const PredictorSet>(set_);
         },
         .nodes = nodes_,
         .reader = reader_,
         .access = access_,
         .open = open_,
         .uploads = uploads_,
         .placing = {.local_places = [this] { return places_; },
                     .services = &services_}},
        router);
    more["content-type"] = type;
    return router.Route({.method = "POST",
                         .target = target,
                         .fields = std::move(more),
                         .body = body});
  }
  HttpReply Profile(const std::string& body) {
    return Ask("/api/profiling", body);
  }
  static SortedJson Read(const HttpReply& reply) {
    auto json = ParseSortedJson(reply.response.body);
    EXPECT_TRUE(json.ok()) << reply.response.body;
    return json.ok() ? *json : SortedJson();
  }
  double Seconds(const std::string& body) {
    HttpReply reply = Profile(body);
    EXPECT_EQ(reply.response.status, 200) << reply.response.body;
    return Read(reply)["profiling_prediction"]["predicted_execution_time"];
  }
  static std::string Form(const std::string& file_name,
                          const std::string& content,
                          const std::string& more = "") {
    return "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" +
           file_name + "\"\r\n\r\n" + content + "\r\n" + more + "--B--\r\n";
  }
  HttpReply Upload(const std::string& form) {
    return Ask("/upload", form, "multipart/form-data; boundary=B");
  }

  ScratchFolder folder_ = *ScratchFolder::Create();
  FixedNodes nodes_;
  OneNetworkReader reader_;
  PredictorSet set_{.full = std::make_shared<FakePredictor>(0.1, 2),
                    .counts = std::make_shared<FakePredictor>(0.1)};
  bool trained_ = true;
  AccessRule access_;
  bool open_ = false;
  UploadRule uploads_{.folder = folder_.path() / "uploads"};
  std::vector<LocalPlace> places_ = {{.device = "rpi-1"}, {.device = "rpi-2"}};
  NotingServices services_;
};

TEST_F(PredictionApiTest, AnswersInPeppersFormat) {
  HttpReply reply = Profile(
      R"({"total_parameters": 1000000000, "model": "resnet", "conv_layers": 2})");
  EXPECT_EQ(reply.response.status, 200);
  EXPECT_EQ(
      reply.response.body,
      R"({"message":"Profiling data received","model_characteristics":)"
      R"({"conv_layers":2,"model":"resnet","total_parameters":1000000000},)"
      R"("profiling_prediction":{"class":"Computer","device_model":)"
      R"("Board of rpi-2","model":"resnet","node":"rpi-2","node_uuid":)"
      R"("uuid-of-rpi-2","predicted_execution_time":0.275},)"
      R"("status":"success"})"
      "\n");
}

TEST_F(PredictionApiTest, EchoesUnknownKeysAndNumbersOfAnySize) {
  SortedJson echoed = Read(Profile(
      R"({"total_parameters":10000000000000000000,"x":{"b":[1,null],"a":"ü"},)"
      R"("model_input_size":1.5e19})"))["model_characteristics"];
  EXPECT_EQ(echoed.dump(), R"({"model_input_size":1.5e+19,)"
                           R"("total_parameters":10000000000000000000,)"
                           R"("x":{"a":"ü","b":[1,null]}})");
}

// PEPPER's choice depended on how full the disks were. The fake predictor adds
// the disk usage to its seconds if it gets to see it.
TEST_F(PredictionApiTest, DiskUsageIsIgnored) {
  const char* body = R"({"total_parameters":1000000000})";
  double before = Seconds(body);
  nodes_.snapshot.nodes[1].disk_used = 0.99;
  EXPECT_EQ(Seconds(body), before);
  auto standalone = [this](int percent) {
    return Seconds(R"({"total_parameters":1e9,"device_type":"Jetson Nano",)"
                   R"_("cpu_usage(percentage)":10,"disk_usage(percentage)":)_" +
                   std::to_string(percent) + "}");
  };
  EXPECT_EQ(standalone(1), standalone(99));
}

// PEPPER always saw the same load.
TEST_F(PredictionApiTest, TheLoadOfANodeMatters) {
  const char* body = R"({"total_parameters":1000000000})";
  nodes_.snapshot.nodes[1].load = 1.0;
  SortedJson best = Read(Profile(body))["profiling_prediction"];
  EXPECT_EQ(best["node"], "rpi-1");
}

// PEPPER passed strings to a predictor that expected numbers.
TEST_F(PredictionApiTest, AFieldOfTheWrongTypeIsRejectedByName) {
  for (const char* body : {R"({"conv_layers":"12"})", R"({"conv_layers":true})",
                           R"({"conv_layers":-1})", R"({"conv_layers":[1]})"}) {
    HttpReply reply = Profile(body);
    EXPECT_EQ(reply.response.status, 422) << body;
    EXPECT_EQ(Read(reply)["error"]["field"], "conv_layers") << body;
  }
  EXPECT_EQ(Read(Profile(R"({"model":7,"conv_layers":1})"))["error"]["field"],
            "model");
  EXPECT_EQ(Profile("{}").response.status, 422);
  EXPECT_EQ(Profile(R"({"conv_layers":null})").response.status, 422);
}

// With PEPPER, every node had the same UUID.
TEST_F(PredictionApiTest, TheUuidBelongsToTheNode) {
  const char* body = R"({"total_parameters":1000000000})";
  for (double load : {0.0, 1.0}) {
    nodes_.snapshot.nodes[0].load = load;
    SortedJson best = Read(Profile(body))["profiling_prediction"];
    EXPECT_EQ(best["node_uuid"], "uuid-of-" + best["node"].get<std::string>());
  }
}

TEST_F(PredictionApiTest, MalformedBodiesAreRejected) {
  EXPECT_EQ(Profile("{").response.status, 400);
  EXPECT_EQ(Profile("[]").response.status, 400);
  EXPECT_EQ(Profile("").response.status, 400);
  EXPECT_EQ(Profile("\xff\xfe").response.status, 400);
  EXPECT_EQ(Profile(R"({"conv_layers":1e999})").response.status, 400);
  EXPECT_EQ(Profile(std::string(400'000, '[')).response.status, 400);
  EXPECT_EQ(Profile(std::string(2 << 20, ' ')).response.status, 413);
  EXPECT_EQ(Ask("/api/profiling", "{}", "text/plain").response.status, 415);
  EXPECT_EQ(Ask("/upload", "{}").response.status, 415);
  EXPECT_EQ(Ask("/api/v1/predict", "{}", "text/html").response.status, 415);
}

TEST_F(PredictionApiTest, AStandaloneRequestPredictsForItsDeviceOnly) {
  HttpReply reply = Profile(
      R"({"model":"net","total_parameters":1e9,"device_type":"Raspberry Pi 4B",)"
      R"_("cpu_usage(percentage)":50,"disk_usage(percentage)":75})_");
  ASSERT_EQ(reply.response.status, 200) << reply.response.body;
  EXPECT_EQ(Read(reply)["profiling_prediction"].dump(),
            R"({"model":"net","predicted_execution_time":0.375})");
}

TEST_F(PredictionApiTest, AnUnknownDeviceIsAnError) {
  HttpReply reply =
      Profile(R"({"total_parameters":1e9,"device_type":"toaster"})");
  EXPECT_EQ(reply.response.status, 422);
  SortedJson error = Read(reply)["error"];
  EXPECT_EQ(error["field"], "device_type");
  EXPECT_THAT(error["message"].get<std::string>(),
              testing::AllOf(HasSubstr("toaster"), HasSubstr("Jetson Nano"),
                             HasSubstr("Board of rpi-1")));
  EXPECT_DOUBLE_EQ(Seconds(R"({"total_parameters":1e9,"device_type":"toaster",)"
                           R"("device_facts":{"cores":2}})"),
                   0.5);
  EXPECT_EQ(Profile(R"({"conv_layers":1,"device_type":3})").response.status,
            422);
  EXPECT_EQ(Profile(R"_({"conv_layers":1,"cpu_usage(percentage)":101,)_"
                    R"("device_type":"Jetson Nano"})")
                .response.status,
            422);
  EXPECT_EQ(Profile(R"_({"conv_layers":1,"cpu_usage(percentage)":10})_")
                .response.status,
            422);
  EXPECT_EQ(Profile(R"({"conv_layers":1,"device_facts":{"cores":"4"}})")
                .response.status,
            422);
}

TEST_F(PredictionApiTest, WithoutPredictorsOrNodesTheErrorSaysWhatToDo) {
  const char* body = R"({"conv_layers":1})";
  trained_ = false;
  EXPECT_EQ(Profile(body).response.status, 503);
  EXPECT_THAT(Profile(body).response.body, HasSubstr("no predictor yet"));
  trained_ = true;
  nodes_.snapshot.nodes[0].unknown = "no CPU load";
  nodes_.snapshot.nodes[1].unknown = "no facts";
  HttpReply reply = Profile(body);
  EXPECT_EQ(reply.response.status, 503);
  EXPECT_THAT(reply.response.body, HasSubstr("rpi-1: no CPU load"));
  nodes_.snapshot.nodes.clear();
  EXPECT_EQ(Profile(body).response.status, 503);
  nodes_.error = Unavailable("connect: refused");
  EXPECT_THAT(Profile(body).response.body, HasSubstr("connect: refused"));
}

TEST_F(PredictionApiTest, StaleNodesAddAWarning) {
  nodes_.snapshot.stale = "connect: \"refused\"";
  HttpReply reply = Profile(R"({"total_parameters":1e9})");
  EXPECT_EQ(reply.response.status, 200);
  EXPECT_THAT(reply.response.fields.at("warning"),
              testing::AllOf(StartsWith("110 mete \""), HasSubstr("stale"),
                             HasSubstr("'refused'")));
}

TEST_F(PredictionApiTest, OpenPredictionStillRequiresTheTokenFromWebPages) {
  const char* body = R"({"total_parameters":1e9})";
  access_.tokens = {{Role::kAdmin, "secret"}};
  EXPECT_EQ(Profile(body).response.status, 401);
  open_ = true;
  EXPECT_EQ(Profile(body).response.status, 200);
  HttpFields page = {{"origin", "http://evil.example"}};
  EXPECT_EQ(
      Ask("/api/profiling", body, "application/json", page).response.status,
      403);
  page["authorization"] = "Bearer secret";
  EXPECT_EQ(
      Ask("/api/profiling", body, "application/json", page).response.status,
      200);
}

TEST_F(PredictionApiTest, AFileThatExhaustsItsProcessIsRefusedAndNotKept) {
  struct {
    const char* script;
    int status;
  } ends[] = {{R"(echo '{"out_of_memory": true}')", 413},
              {"kill -XCPU $$", 422},
              {"kill -SEGV $$", 422}};
  uploads_.process.program = folder_.path() / "program";
  for (const auto& end : ends) {
    ASSERT_TRUE(WriteFileAtomically(uploads_.process.program,
                                    std::string("#!/bin/sh\n") + end.script)
                    .ok());
    std::filesystem::permissions(uploads_.process.program,
                                 std::filesystem::perms::owner_all);
    HttpReply reply = Upload(Form("net.onnx", "a network"));
    EXPECT_EQ(reply.response.status, end.status) << end.script;
    EXPECT_THAT(reply.response.body, Not(HasSubstr(folder_.path().string())));
    EXPECT_TRUE(std::filesystem::is_empty(uploads_.folder));
  }
}

TEST_F(PredictionApiTest, AnUploadIsStoredDescribedAndPredicted) {
  HttpReply reply = Upload(
      Form("../my net.onnx", "a network",
           "--B\r\nContent-Disposition: form-data; name=\"model_input_size\""
           "\r\n\r\n74018\r\n"));
  ASSERT_EQ(reply.response.status, 201) << reply.response.body;
  SortedJson json = Read(reply);
  std::string kept = (uploads_.folder / "my_net.onnx").string();
  EXPECT_EQ(json["filepath"], kept);
  EXPECT_EQ(*ReadFile(kept), "a network");
  EXPECT_EQ(json["message"], "File uploaded successfully");
  EXPECT_EQ(json["status"], "success");
  EXPECT_EQ(json["model_characteristics"].dump(),
            R"({"conv_layers":0,"fc_layers":1,"filter_details":0,)"
            R"("model":"my_net","model_input_size":74018,)"
            R"("model_output_size":12,"pool_layers":0,"total_parameters":12})");
  EXPECT_EQ(json["profiling_prediction"]["node"], "rpi-2");
  EXPECT_EQ(json.size(), 5u);
}

std::string ShapeField(const std::string& shape) {
  return "--B\r\nContent-Disposition: form-data; name=\"shape\"\r\n\r\n" +
         shape + "\r\n";
}

TEST_F(PredictionApiTest, AnUploadWithOpenSizesIsRefusedUntilTheyAreGiven) {
  HttpReply refused = Upload(Form("net.onnx", "an open network"));
  EXPECT_EQ(refused.response.status, 422) << refused.response.body;
  EXPECT_THAT(Read(refused)["error"]["message"].get<std::string>(),
              HasSubstr("unknown sizes"));
  EXPECT_TRUE(std::filesystem::is_empty(uploads_.folder));
  HttpReply known =
      Upload(Form("net.onnx", "an open network", ShapeField("x=1x4")));
  EXPECT_EQ(known.response.status, 201) << known.response.body;
}

// PP-OCR stores its weights in Constant nodes, where PEPPER finds none.
TEST_F(PredictionApiTest, AnUploadSaysWhatThePepperCountsOverlook) {
  HttpReply reply = Upload(Form("net.onnx", "a network of constants"));
  ASSERT_EQ(reply.response.status, 201) << reply.response.body;
  SortedJson json = Read(reply);
  EXPECT_EQ(json["model_characteristics"]["total_parameters"], 0);
  EXPECT_THAT(json["warning"].get<std::string>(),
              HasSubstr("find 0 parameters instead of 12; the prediction is "
                        "made from the layers"));
}

TEST_F(PredictionApiTest, AShapeBelongsToTheFileBeforeIt) {
  auto file = [](const std::string& name, const std::string& content) {
    return "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" +
           name + "\"\r\n\r\n" + content + "\r\n";
  };
  auto ask = [&](const std::string& body) {
    return Ask("/api/v1/predict", body + "--B--\r\n",
               "multipart/form-data; boundary=B");
  };
  std::string open = file("a.onnx", "an open network");
  std::string whole = file("b.onnx", "a network");
  EXPECT_EQ(ask(open + ShapeField("x=1x4") + whole).response.status, 200);
  EXPECT_EQ(ask(ShapeField("x=1x4") + open + whole).response.status, 200);
  EXPECT_EQ(ask(open + whole + ShapeField("x=1x4")).response.status, 422);
}

TEST_F(PredictionApiTest, ANumberFarFromTheTrainingDataCarriesAWarning) {
  SortedJson far = Read(Profile(R"({"model":"n","total_parameters":1e20})"));
  EXPECT_EQ(far["status"], "success");
  EXPECT_THAT(far["warning"].get<std::string>(),
              HasSubstr("parameters 1e20 (training range 0 to 1e9)"));
  SortedJson alone = Read(Profile(
      R"({"model":"n","total_parameters":1e20,"device_type":"Jetson Nano"})"));
  EXPECT_TRUE(alone.contains("warning"));
  SortedJson near = Read(Profile(R"({"model":"n","total_parameters":1e9})"));
  EXPECT_FALSE(near.contains("warning"));
}

TEST_F(PredictionApiTest, InvalidUploadsGetPeppersErrorMessages) {
  EXPECT_EQ(Upload(Form("", "a network")).response.body,
            "{\"error\":\"No selected file\"}\n");
  EXPECT_EQ(Upload("--B--\r\n").response.body,
            "{\"error\":\"No selected file\"}\n");
  for (const char* name : {"net.pb", "onnx", "..onnx", "net.onnx.exe"}) {
    HttpReply reply = Upload(Form(name, "a network"));
    EXPECT_EQ(reply.response.status, 400);
    EXPECT_EQ(reply.response.body, "{\"error\":\"File type not allowed\"}\n");
  }
}

TEST_F(PredictionApiTest, AnInvalidNetworkIsNotStored) {
  HttpReply reply = Upload(Form("bad.onnx", "junk"));
  EXPECT_EQ(reply.response.status, 422);
  EXPECT_EQ(Read(reply)["error"]["message"], "bad: not an ONNX file");
  EXPECT_TRUE(std::filesystem::is_empty(uploads_.folder));
}

TEST_F(PredictionApiTest, UploadsAreLimitedInSize) {
  uploads_.largest = Bytes{5};
  EXPECT_EQ(Upload(Form("a.onnx", "a network")).response.status, 413);
  uploads_.largest = Mebibytes(1);
  uploads_.space = Bytes{12};
  EXPECT_EQ(Upload(Form("a.onnx", "a network")).response.status, 201);
  EXPECT_EQ(Upload(Form("b.onnx", "a network")).response.status, 507);
}

TEST_F(PredictionApiTest, RanksEveryDeviceForEveryNetwork) {
  nodes_.snapshot.nodes.push_back(Machine("dark", 64, 0));
  nodes_.snapshot.nodes[2].unknown = "no CPU load";
  set_.bundled = true;
  HttpReply reply = Ask("/api/v1/predict",
                        R"({"networks":[{"name":"a","total_parameters":1e9},)"
                        R"({"name":"b","total_parameters":2e9}],)"
                        R"("objective":"throughput"})");
  ASSERT_EQ(reply.response.status, 200) << reply.response.body;
  SortedJson json = Read(reply);
  EXPECT_EQ(json["objective"], "throughput");
  EXPECT_TRUE(json["starter"]);
  EXPECT_THAT(json["hint"].get<std::string>(), HasSubstr("mete train latency"));
  EXPECT_FALSE(json["nodes"]["stale"]);
  ASSERT_EQ(json["networks"].size(), 2u);
  SortedJson first = json["networks"][0];
  EXPECT_EQ(first["tied"], 1);
  EXPECT_EQ(first["devices"][0]["node"], "rpi-2");
  EXPECT_DOUBLE_EQ(first["devices"][0]["seconds"], 0.275);
  EXPECT_DOUBLE_EQ(first["devices"][0]["interval"]["high"], 0.3025);
  EXPECT_NEAR(first["devices"][0]["inferences_per_second"], 3.6364, 1e-4);
  EXPECT_EQ(first["devices"][2]["state"], "unknown");
  EXPECT_EQ(first["devices"][2]["reasons"][0], "no CPU load");
}

TEST_F(PredictionApiTest, ADeviceNamedTwiceIsRankedOnce) {
  SortedJson json =
      Read(Ask("/api/v1/predict", R"({"networks":[{"total_parameters":1e9}],)"
                                  R"("devices":["rpi-1","rpi-1","rpi-1"]})"));
  EXPECT_EQ(json["networks"][0]["devices"].size(), 1u);
}

TEST_F(PredictionApiTest, AGivenLoadReplacesAMissingOne) {
  nodes_.snapshot.nodes.push_back(Machine("dark", 4, 0));
  ClusterNode& dark = nodes_.snapshot.nodes.back();
  dark.load.reset();
  dark.unknown = "no fresh CPU load";
  dark.wants_load = true;
  SortedJson json =
      Read(Ask("/api/v1/predict", R"({"networks":[{"total_parameters":1e9}],)"
                                  R"("devices":["dark"],"load":0.5})"));
  EXPECT_EQ(json["networks"][0]["devices"][0]["state"], "predicted");
}

TEST_F(PredictionApiTest, BundledPredictorsAddAWarningHeader) {
  const char* body = R"({"model":"n","conv_layers":1})";
  EXPECT_FALSE(Ask("/api/profiling", body).response.fields.contains("warning"));
  set_.bundled = true;
  EXPECT_THAT(Ask("/api/profiling", body).response.fields["warning"],
              HasSubstr("mete train latency"));
}

TEST_F(PredictionApiTest, DevicesAndLoadCanBeSelected) {
  SortedJson json = Read(Ask("/api/v1/predict",
                             R"({"networks":[{"total_parameters":1e9}],)"
                             R"("devices":["rpi-1"],"load":{"rpi-1":0}})"));
  EXPECT_EQ(json["networks"][0]["name"], "network 1");
  ASSERT_EQ(json["networks"][0]["devices"].size(), 1u);
  EXPECT_DOUBLE_EQ(json["networks"][0]["devices"][0]["seconds"], 0.25);
}

TEST_F(PredictionApiTest, InvalidFieldsAreRejectedByName) {
  auto field = [this](const char* body) {
    HttpReply reply = Ask("/api/v1/predict", body);
    EXPECT_EQ(reply.response.status, 422) << body << reply.response.body;
    return Read(reply)["error"].value("field", "");
  };
  EXPECT_EQ(field("{}"), "networks");
  EXPECT_EQ(field(R"({"networks":[]})"), "networks");
  EXPECT_EQ(field(R"({"networks":[1]})"), "networks[0]");
  EXPECT_EQ(field(R"({"networks":[{}]})"), "conv_layers");
  EXPECT_EQ(field(R"({"network":{}})"), "network");
  const std::string net = R"({"networks":[{"conv_layers":1}],)";
  EXPECT_EQ(field((net + R"("objective":"speed"})").c_str()), "objective");
  EXPECT_EQ(field((net + R"("objective":"energy"})").c_str()), "objective");
  EXPECT_EQ(field((net + R"("devices":["x"]})").c_str()), "devices");
  EXPECT_EQ(field((net + R"("devices":"x"})").c_str()), "devices");
  EXPECT_EQ(field((net + R"("load":2})").c_str()), "load");
  EXPECT_EQ(field((net + R"("load":{"x":0.5}})").c_str()), "load");
  EXPECT_EQ(field((net + R"("batch":0})").c_str()), "batch");
  EXPECT_EQ(field((net + R"("batch":2})").c_str()), "batch");
  EXPECT_EQ(field(R"({"networks":[{"conv_layers":1,"layers":[]}]})"),
            "networks[0]");
}

TEST_F(PredictionApiTest, AnUploadedNetworkIsPredictedFromItsLayers) {
  HttpReply reply = Ask("/api/v1/predict", Form("n.onnx", "a network"),
                        "multipart/form-data; boundary=B");
  ASSERT_EQ(reply.response.status, 200) << reply.response.body;
  SortedJson network = Read(reply)["networks"][0];
  EXPECT_EQ(network["name"], "n");
  EXPECT_EQ(network["known_by"], "layers");
  // Twice the result of the predictor for counts.
  EXPECT_DOUBLE_EQ(network["devices"][0]["seconds"], 2 * 12e-9 / 4 * 1.1);
  EXPECT_THAT(Ask("/api/v1/predict", Form("n.onnx", "junk"),
                  "multipart/form-data; boundary=B")
                  .response.body,
              testing::AllOf(HasSubstr("\"file\""),
                             Not(HasSubstr(folder_.path().string()))));
}

// Every randomly corrupted request gets a reply.
TEST_F(PredictionApiTest, SurvivesCorruptedRequests) {
  struct Valid {
    const char* target;
    const char* type;
    std::string body;
  };
  const std::string form = "multipart/form-data; boundary=B";
  const std::vector<Valid> valid = {
      {"/api/profiling", "application/json",
       R"_({"model":"n","conv_layers":1e3,"device_type":"Jetson Nano",)_"
       R"_("cpu_usage(percentage)":5,"device_facts":{"cores":4}})_"},
      {"/api/v1/predict", "application/json",
       R"({"networks":[{"conv_layers":1,"layers":[{"macs":1}]}],"load":0.5,)"
       R"("batch":2,"devices":["rpi-1"],"objective":"latency"})"},
      {"/upload", form.c_str(), Form("a.onnx", "a network")},
      {"/api/v1/predict", form.c_str(), Form("a.onnx", "a network")}};
  Random random(7);
  for (int i = 0; i < 2000; ++i) {
    const Valid& from = valid[random.Below(valid.size())];
    std::string body = from.body;
    for (uint64_t changes = random.Below(4); changes > 0; --changes) {
      size_t at = random.Below(body.size());
      switch (random.Below(4)) {
        case 0:
          body[at] = static_cast<char>(random.Below(256));
          break;
        case 1:
          body.resize(at + 1);
          break;
        case 2:
          body.insert(at, body.substr(at, random.Below(20)));
          break;
        default:
          body.insert(at, 1, "{}[]\",:-e9\\"[random.Below(11)]);
      }
    }
    int status = Ask(from.target, body, from.type).response.status;
    EXPECT_TRUE(status >= 200 && status < 500) << status << " " << body;
  }
}

TEST(PredictionBodyLimit, IsSmallForQuestionsAndLargeForUploads) {
  UploadRule rule{.largest = Mebibytes(256)};
  EXPECT_EQ(PredictionBodyLimit(rule, "/api/profiling"), Mebibytes(1));
  EXPECT_EQ(PredictionBodyLimit(rule, "/upload?x=1"), Mebibytes(257));
  EXPECT_EQ(PredictionBodyLimit(rule, "/api/v1/jobs"), std::nullopt);
}

TEST(IsQuickPrediction, IsTrueOnlyForANormalProfilingRequest) {
  EXPECT_TRUE(IsQuickPrediction({.method = "POST",
                                 .target = "/api/profiling/?a=b",
                                 .body = std::string(1000, ' ')}));
  EXPECT_FALSE(IsQuickPrediction({.method = "POST",
                                  .target = "/api/profiling",
                                  .body = std::string(100'000, ' ')}));
  EXPECT_FALSE(IsQuickPrediction({.method = "POST", .target = "/upload"}));
  EXPECT_FALSE(
      IsQuickPrediction({.method = "POST", .target = "/api/v1/predict"}));
}

TEST_F(PredictionApiTest, PlacesAnUploadOnTheBestNodeThatCanBeReached) {
  HttpReply reply = Ask("/api/v1/place", Form("le net.onnx", "a network"),
                        "multipart/form-data; boundary=B");
  EXPECT_EQ(reply.response.status, 201) << reply.response.body;
  const SortedJson answer = Read(reply);
  EXPECT_EQ(answer["chosen"]["device"], "rpi-2");
  EXPECT_EQ(answer["service"]["infer_url"],
            "http://127.0.0.1:4000/v2/models/le_net/infer");
  ASSERT_EQ(services_.started.size(), 1u);
  EXPECT_EQ(services_.started[0].upload, services_.started[0].network);
  EXPECT_EQ(ReadFile(services_.started[0].network).value(), "a network");

  places_ = {{.device = "rpi-1"}};
  EXPECT_EQ(Read(Ask("/api/v1/place", Form("n.onnx", "a network"),
                     "multipart/form-data; boundary=B"))["chosen"]["device"],
            "rpi-1");
}

TEST_F(PredictionApiTest, KeepsNoUploadThatWasNotPlaced) {
  services_.broken = true;
  EXPECT_EQ(Ask("/api/v1/place", Form("n.onnx", "a network"),
                "multipart/form-data; boundary=B")
                .response.status,
            503);
  services_.broken = false;
  const std::string dry =
      "--B\r\nContent-Disposition: form-data; name=\"dry_run\"\r\n\r\n"
      "true\r\n";
  EXPECT_EQ(Ask("/api/v1/place", Form("n.onnx", "a network", dry),
                "multipart/form-data; boundary=B")
                .response.status,
            200);
  places_.clear();
  EXPECT_EQ(Ask("/api/v1/place", Form("n.onnx", "a network"),
                "multipart/form-data; boundary=B")
                .response.status,
            409);
  EXPECT_TRUE(services_.started.empty());
  EXPECT_TRUE(FilesIn(uploads_.folder)->empty());
}

TEST_F(PredictionApiTest, RefusesNamesThatAreUnsafeInUrlsAndArguments) {
  auto named = [](const std::string& name) {
    return "--B\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\n" +
           name + "\r\n";
  };
  const std::string type = "multipart/form-data; boundary=B";
  for (const char* bad : {"../x", "--insecure", "a b", "..", ""}) {
    HttpReply reply =
        Ask("/api/v1/place", Form("n.onnx", "a network", named(bad)), type);
    EXPECT_EQ(reply.response.status, 422) << bad;
    EXPECT_EQ(Read(reply)["error"]["field"], "name") << bad;
  }
  // The name of a file is not the user's choice: it is made safe.
  EXPECT_EQ(Read(Ask("/api/v1/place", Form("--..%2f.onnx", "a network"),
                     type))["service"]["app"],
            "2f");
  EXPECT_TRUE(FilesIn(uploads_.folder)->size() == 1);
}

TEST_F(PredictionApiTest, RefusesToPlaceUploadsBeyondTheirSpace) {
  uploads_.space = Bytes{5};
  EXPECT_EQ(Ask("/api/v1/place", Form("n.onnx", "a network"),
                "multipart/form-data; boundary=B")
                .response.status,
            507);
  EXPECT_TRUE(services_.started.empty());
}

TEST_F(PredictionApiTest, PlacesAFileOfTheServerByItsPath) {
  const auto file = folder_.path() / "net.onnx";
  ASSERT_TRUE(WriteFileAtomically(file, "a network").ok());
  EXPECT_EQ(Ask("/api/v1/place", R"({"path":")" + file.string() + R"("})")
                .response.status,
            201);
  EXPECT_EQ(services_.started[0].upload, "");
  EXPECT_EQ(Ask("/api/v1/place", R"({"path":"net.onnx"})").response.status,
            422);
  EXPECT_EQ(Ask("/api/v1/place", R"({"pat":"/net.onnx"})").response.status,
            422);
}

TEST_F(PredictionApiTest, RefusesToPlaceByAQuestionThatIsTooLarge) {
  const auto file = folder_.path() / "net.onnx";
  ASSERT_TRUE(WriteFileAtomically(file, "a network").ok());
  const std::string body = R"({"path":")" + file.string() + R"("})";
  const size_t most = kLargestQuestion.count;
  EXPECT_EQ(Ask("/api/v1/place", body + std::string(most - body.size(), ' '))
                .response.status,
            201);
  HttpReply reply =
      Ask("/api/v1/place", body + std::string(most - body.size() + 1, ' '));
  EXPECT_EQ(reply.response.status, 413);
  EXPECT_THAT(reply.response.body, HasSubstr("larger than 1.0 MiB"));
  EXPECT_EQ(services_.started.size(), 1u);
}

// What follows the NUL would be the name of the service, but not of the file.
TEST_F(PredictionApiTest, RefusesToPlaceAPathWithANul) {
  const auto file = folder_.path() / "net.onnx";
  ASSERT_TRUE(WriteFileAtomically(file, "a network").ok());
  HttpReply reply = Ask("/api/v1/place",
                        R"({"path":")" + file.string() + R"(\u0000/other"})");
  EXPECT_EQ(reply.response.status, 422);
  EXPECT_EQ(Read(reply)["error"]["field"], "path");
  EXPECT_TRUE(services_.started.empty());
}

// An upload stays as long as its service, so it counts like any other.
TEST_F(PredictionApiTest, PlacedUploadsShareTheSpaceOfUploads) {
  uploads_.space = Bytes{20};
  ASSERT_TRUE(MakeFolder(uploads_.folder).ok());
  ASSERT_TRUE(
      WriteFileAtomically(uploads_.folder / "other.onnx", "twelve bytes").ok());
  HttpReply reply = Ask("/api/v1/place", Form("n.onnx", "a network"),
                        "multipart/form-data; boundary=B");
  EXPECT_EQ(reply.response.status, 507) << reply.response.body;
  EXPECT_EQ(FilesIn(uploads_.folder)->size(), 1u);
  uploads_.space = Bytes{21};
  EXPECT_EQ(Ask("/api/v1/place", Form("n.onnx", "a network"),
                "multipart/form-data; boundary=B")
                .response.status,
            201);
}

TEST_F(PredictionApiTest, OtherUsersCannotReadUploads) {
  for (const char* target : {"/upload", "/api/v1/place"}) {
    std::filesystem::remove_all(uploads_.folder);
    EXPECT_EQ(Ask(target, Form("n.onnx", "a network"),
                  "multipart/form-data; boundary=B")
                  .response.status,
              201);
    EXPECT_EQ(std::filesystem::status(uploads_.folder).permissions(),
              std::filesystem::perms::owner_all)
        << target;
  }
}

// A server in a container has the same pid after each start, and the services
// of the one before may still run.
TEST_F(PredictionApiTest, APlacedUploadReplacesNoOther) {
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(Ask("/api/v1/place", Form("n.onnx", "a network"),
                  "multipart/form-data; boundary=B")
                  .response.status,
              201);
  }
  ASSERT_EQ(services_.started.size(), 2u);
  EXPECT_NE(services_.started[0].network, services_.started[1].network);
}

TEST_F(PredictionApiTest, StartsALimitedNumberOfServices) {
  const auto file = folder_.path() / "net.onnx";
  ASSERT_TRUE(WriteFileAtomically(file, "a network").ok());
  const std::string body = R"({"path":")" + file.string() + R"("})";
  services_.listed.assign(kMostPlacedServices,
                          {.state = HostedService::State::kRunning});
  HttpReply reply = Ask("/api/v1/place", body);
  EXPECT_EQ(reply.response.status, 503);
  EXPECT_THAT(reply.response.body, HasSubstr("stop one of the 32 services"));
  EXPECT_TRUE(services_.started.empty());
  services_.listed[0].state = HostedService::State::kGone;
  EXPECT_EQ(Ask("/api/v1/place", body).response.status, 201);
}

// Predictions may be open to everybody; starting programs never is.
TEST_F(PredictionApiTest, PlacingNeedsATokenEvenIfPredictionsAreOpen) {
  open_ = true;
  access_.tokens = {{.role = Role::kRead, .token = "reader"}};
  const std::string body = Form("n.onnx", "a network");
  const std::string type = "multipart/form-data; boundary=B";
  EXPECT_EQ(Ask("/api/v1/place", body, type).response.status, 401);
  EXPECT_EQ(
      Ask("/api/v1/place", body, type, {{"authorization", "Bearer reader"}})
          .response.status,
      403);
  EXPECT_TRUE(services_.started.empty());
}

}  // namespace
}  // namespace mete
