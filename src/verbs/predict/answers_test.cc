#include "predict/answers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "support/json.h"

namespace mete {
namespace {

// Predicts by the node's name: 1 s for "slow", 1 ms for all others.
class ByName : public LatencyPredictor {
 public:
  std::vector<Estimate> Predict(const NetworkQuestion&,
                                std::span<const ClusterNode* const> nodes,
                                Detail) const override {
    std::vector<Estimate> estimates;
    for (const ClusterNode* node : nodes) {
      double value = node->name == "slow" ? 1 : 1e-3;
      estimates.push_back(
          {.value = value, .low = value / 1.2, .high = value * 1.2});
    }
    if (!estimates.empty()) {
      estimates.back().beyond_training = {
          "load 95 % (training range 0 % to 80 %)"};
      estimates.back().assumption = "engine speed not measured";
    }
    return estimates;
  }
  const std::string& origin() const override { return origin_; }

 private:
  std::string origin_ = "a test";
};

Answers Ask(Objective objective = Objective::kLatency) {
  auto predictor = std::make_shared<ByName>();
  NodeSnapshot nodes;
  for (const char* name : {"slow", "fast", "quick", "lost"}) {
    ClusterNode node{.name = name, .load = 0.25};
    if (node.name == "lost") node.unknown = "no CPU series for 5 minutes";
    nodes.nodes.push_back(node);
  }
  PredictorSet set{.full = predictor, .counts = predictor, .bundled = true};
  return AnswerAll(set, nodes, {{.name = "net"}}, objective, 4);
}

TEST(Answers, TextStartsWithTheBestDeviceAndItsTies) {
  std::string text = AnswersText(Ask());
  EXPECT_EQ(text.substr(0, text.find("\n\n")),
            "net: 1.00 ms on fast (833 us to 1.20 ms, 90 %); not "
            "distinguishable from quick");
  EXPECT_NE(text.find("lost: no CPU series for 5 minutes"), std::string::npos);
  EXPECT_NE(text.find("quick: outside the training range: load 95 %"),
            std::string::npos);
  EXPECT_NE(text.find("quick: engine speed not measured\n"), std::string::npos);
}

TEST(Answers, ThroughputMultipliesByTheBatchAndInvertsTheInterval) {
  std::string text = AnswersText(Ask(Objective::kThroughput));
  EXPECT_NE(text.find("4.00 k/s on fast (3.33 k/s to 4.80 k/s"),
            std::string::npos)
      << text;
}

TEST(Answers, JsonNamesThePredictorAndItsInputs) {
  Json json = AnswersToJson(Ask());
  EXPECT_EQ(json["starter"], true);
  EXPECT_TRUE(json.contains("hint"));
  const Json& network = json["networks"][0];
  EXPECT_EQ(network["known_by"], "counts");
  EXPECT_EQ(network["predictor"], "a test");
  EXPECT_EQ(network["tied"], 2);
  EXPECT_EQ(network["devices"][0]["node"], "fast");
  EXPECT_EQ(network["devices"][3]["state"], "unknown");
  EXPECT_FALSE(network["devices"][3].contains("seconds"));
}

TEST(Answers, JsonOfADeviceHasItsFactsAndItsInterval) {
  Answers answers = Ask();
  ClusterNode& fast = answers.nodes.nodes[1];
  fast.kind = "edge";
  fast.device_model = "Pi";
  fast.uuid = "id-1";
  fast.emulated = true;
  Json device = AnswersToJson(answers)["networks"][0]["devices"][0];
  EXPECT_EQ(device["class"], "edge");
  EXPECT_EQ(device["device_model"], "Pi");
  EXPECT_EQ(device["node_uuid"], "id-1");
  EXPECT_EQ(device["emulated"], true);
  EXPECT_EQ(device["load"], 0.25);
  EXPECT_EQ(device["state"], "predicted");
  EXPECT_DOUBLE_EQ(device["seconds"].get<double>(), 0.001);
  EXPECT_DOUBLE_EQ(device["interval"]["low"].get<double>(), 0.001 / 1.2);
  EXPECT_DOUBLE_EQ(device["interval"]["high"].get<double>(), 0.0012);
  EXPECT_EQ(device["interval"]["coverage"], 0.9);
  EXPECT_FALSE(device.contains("inferences_per_second"));
  EXPECT_FALSE(device.contains("fits_memory"));
}

TEST(Answers, JsonHasThroughputOnlyIfItIsTheObjective) {
  Json device =
      AnswersToJson(Ask(Objective::kThroughput))["networks"][0]["devices"][0];
  EXPECT_DOUBLE_EQ(device["inferences_per_second"].get<double>(), 4000);
}

TEST(Answers, JsonSaysThatNodesAreStale) {
  Answers answers = Ask();
  Json nodes = AnswersToJson(answers)["nodes"];
  EXPECT_EQ(nodes["stale"], false);
  EXPECT_FALSE(nodes.contains("reason"));
  answers.nodes.stale = "Prometheus is silent";
  nodes = AnswersToJson(answers)["nodes"];
  EXPECT_EQ(nodes["stale"], true);
  EXPECT_EQ(nodes["reason"], "Prometheus is silent");
}

TEST(Answers, EnergyIsInJoules) {
  Answers answers = Ask(Objective::kEnergy);
  EXPECT_NE(AnswersText(answers).find("net: no device can be recommended"),
            std::string::npos);
  answers.networks[0].ranking.devices[0].estimate =
      Estimate{.value = 2, .low = 1, .high = 3};
  Json device = AnswersToJson(answers)["networks"][0]["devices"][0];
  EXPECT_EQ(device["joules"], 2.0);
  EXPECT_FALSE(device.contains("seconds"));
  EXPECT_NE(AnswersCsv(answers).find("joules,joules_low,joules_high,"),
            std::string::npos);
  EXPECT_NE(AnswersText(answers).find("2 J"), std::string::npos);
}

TEST(Answers, TextSaysWhetherTheNetworkFits) {
  Answers answers = Ask();
  EXPECT_NE(AnswersText(answers).find("25 %  ?"), std::string::npos);
  auto& devices = answers.networks[0].ranking.devices;
  devices[0].fits_memory = true;
  devices[1].fits_memory = false;
  answers.nodes.nodes[0].load.reset();
  const std::string text = AnswersText(answers);
  EXPECT_NE(text.find("25 %  yes"), std::string::npos) << text;
  EXPECT_NE(text.find("25 %  no"), std::string::npos) << text;
  EXPECT_NE(text.find("   ?  ?"), std::string::npos) << text;
  const std::string csv = AnswersCsv(answers);
  EXPECT_NE(csv.find("net,1,fast,false,0.25,0.001,"), std::string::npos);
  EXPECT_NE(csv.find(",true\n"), std::string::npos);
  EXPECT_NE(csv.find(",false\n"), std::string::npos);
}

// A note that holds for two devices is printed once, with both names.
TEST(Answers, EqualReasonsAreJoined) {
  Answers answers = Ask();
  answers.networks[0].ranking.devices[0].reasons = {"too warm"};
  answers.networks[0].ranking.devices[1].reasons = {"too warm"};
  EXPECT_NE(AnswersText(answers).find("fast, quick: too warm\n"),
            std::string::npos);
}

TEST(Answers, CsvHasOneRowPerDevice) {
  std::string csv = AnswersCsv(Ask());
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 5);
  EXPECT_NE(csv.find("net,4,lost,false,0.25,,,,"), std::string::npos);
}

// Each predictor says what it is.
class NamedPredictor final : public LatencyPredictor {
 public:
  explicit NamedPredictor(std::string origin) : origin_(std::move(origin)) {}
  std::vector<Estimate> Predict(const NetworkQuestion&,
                                std::span<const ClusterNode* const> nodes,
                                Detail) const override {
    return std::vector<Estimate>(nodes.size(),
                                 {.value = 2, .low = 1, .high = 4});
  }
  const std::string& origin() const override { return origin_; }

 private:
  std::string origin_;
};

TEST(Answers, JsonNamesThePredictorThatAnswered) {
  PredictorSet set{.full = std::make_shared<NamedPredictor>("of layers"),
                   .counts = std::make_shared<NamedPredictor>("of counts"),
                   .energy = std::make_shared<NamedPredictor>("of energy")};
  NodeSnapshot nodes{.nodes = {{.name = "a"}}};
  NetworkTraits traits;
  traits.sha256 = "abc";
  auto ask = [&](NetworkQuestion question, Objective objective) {
    Json json = AnswersToJson(
        AnswerAll(set, nodes, {std::move(question)}, objective, 1));
    EXPECT_EQ(json["starter"], false);
    EXPECT_FALSE(json.contains("hint"));
    EXPECT_EQ(json["batch"], 1);
    return json["networks"][0];
  };
  Json known = ask({.name = "net", .traits = traits}, Objective::kLatency);
  EXPECT_EQ(known["predictor"], "of layers");
  EXPECT_EQ(known["known_by"], "layers");
  EXPECT_EQ(known["sha256"], "abc");
  Json counted = ask({.name = "net"}, Objective::kLatency);
  EXPECT_EQ(counted["predictor"], "of counts");
  EXPECT_FALSE(counted.contains("sha256"));
  EXPECT_EQ(
      ask({.name = "net", .traits = traits}, Objective::kEnergy)["predictor"],
      "of energy");
  set.full.reset();
  EXPECT_EQ(
      ask({.name = "net", .traits = traits}, Objective::kLatency)["predictor"],
      "of counts");
}

TEST(Answers, JsonHasTheNotesOfADevice) {
  Answers answers = Ask();
  auto& best = answers.networks[0].ranking.devices[0];
  best.reasons = {"warm"};
  best.fits_memory = false;
  best.estimate->beyond_training = {"x"};
  best.estimate->device_beyond_training = {"y", "z"};
  Json device = AnswersToJson(answers)["networks"][0]["devices"][0];
  EXPECT_EQ(device["reasons"], Json({"warm"}));
  EXPECT_EQ(device["fits_memory"], false);
  EXPECT_EQ(device["beyond_training"], Json({"x"}));
  EXPECT_EQ(device["device_beyond_training"], Json({"y", "z"}));
  device = AnswersToJson(answers)["networks"][0]["devices"][2];
  EXPECT_FALSE(device.contains("beyond_training"));
  EXPECT_NE(AnswersText(answers).find(
                "fast: differs from the devices of the training, so the "
                "interval is wider: y;"),
            std::string::npos)
      << AnswersText(answers);
}

TEST(Answers, TextSeparatesNetworksAndMarksEmulatedDevices) {
  auto predictor = std::make_shared<NamedPredictor>("x");
  NodeSnapshot nodes{.nodes = {{.name = "a"}}};
  nodes.nodes[0].emulated = true;
  Answers answers =
      AnswerAll({.counts = predictor}, nodes, {{.name = "n1"}, {.name = "n2"}},
                Objective::kLatency, 1);
  EXPECT_EQ(AnswersText(answers),
            "n1: 2.00 s on a (1.00 s to 4.00 s, 90 %)\n"
            "\n"
            "device        predicted  90 % interval     load  fits\n"
            "a (emulated)     2.00 s  1.00 s to 4.00 s     ?  ?\n"
            "\n"
            "n2: 2.00 s on a (1.00 s to 4.00 s, 90 %)\n"
            "\n"
            "device        predicted  90 % interval     load  fits\n"
            "a (emulated)     2.00 s  1.00 s to 4.00 s     ?  ?\n");
  EXPECT_EQ(AnswersCsv(answers),
            "network,rank,node,emulated,load,seconds,seconds_low,seconds_high,"
            "fits_memory\n"
            "n1,1,a,true,,2,1,4,\n"
            "n2,1,a,true,,2,1,4,\n");
}

TEST(Answers, UnknownObjectiveIsRejectedWithTheValidNames) {
  EXPECT_TRUE(ParseObjective("energy").ok());
  EXPECT_EQ(ParseObjective("speed").error().message(),
            "'speed' is not one of latency, throughput, energy");
}

}  // namespace
}  // namespace mete
