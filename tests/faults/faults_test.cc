// Kills mete at random moments over its long-running commands. Whatever the
// moment: the store is intact, at most the trial that was running is lost, the
// next command works, and nothing is left behind.
//
// METE_FAULTS_KILLS sets the number of kills (default 30), METE_FAULTS_SEED the
// moments.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <thread>

#include "support/json.h"
#include "support/random.h"
#include "tests/faults/leftovers.h"
#include "tests/faults/mete_folder.h"

namespace mete {
namespace {

using std::chrono::milliseconds;
using testing::IsEmpty;

uint64_t NumberFromEnvironment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// Waits for a list to become empty, for 20 s at most: the keepers of a killed
// mete need a moment to end what it had started.
std::vector<std::string> WhatStays(
    const std::function<std::vector<std::string>()>& look) {
  std::vector<std::string> left = look();
  for (int i = 0; i < 1000 && !left.empty(); ++i) {
    std::this_thread::sleep_for(milliseconds(20));
    left = look();
  }
  return left;
}

constexpr int kRepeats = 8;  // of each application of a session

// A command to kill.
struct Victim {
  std::string name;
  // Queues what the command will find, and returns its arguments.
  std::function<std::vector<std::string>()> prepare;
  // Called after each kill.
  std::function<void()> check = [] {};
  bool marks = true;           // its trials leave marks
  bool ends_by_itself = true;  // if it is not killed
  int also_fine = 0;           // an exit code besides 0
};

class Faults : public testing::Test {
 protected:
  void SetUp() override {
    // Registers the device and builds networks, so that the kills hit the
    // commands and not their preparations.
    ASSERT_EQ(folder.Run({"devices", "show"}), 0) << folder.Said();
    ASSERT_EQ(folder.Run({"zoo", "build", nets(), "--only", "lenet5", "mlp"}),
              0)
        << folder.Said();
    ASSERT_EQ(folder.Run(Collect(1)), 0) << folder.Said();
  }

  std::string nets() const { return (folder.path() / "nets").string(); }

  std::vector<std::string> Collect(uint64_t batch) const {
    return {"collect",
            "--networks",
            nets(),
            "--load",
            "0",
            "--seconds",
            "100ms",
            "--iterations",
            "5",
            "--batch",
            std::to_string(batch)};
  }
  std::vector<std::string> WithWorkload(std::vector<std::string> arguments) {
    arguments.push_back("--");
    for (std::string& word : folder.Workload()) {
      arguments.push_back(std::move(word));
    }
    return arguments;
  }
  void Submit() {
    ASSERT_EQ(folder.Run(WithWorkload({"jobs", "submit", "--repeat", "40"})), 0)
        << folder.Said();
  }

  std::filesystem::path session() const {
    return folder.path() / fmt::format("session-{}", sessions);
  }
  std::vector<std::string> RunSession();

  Victim Measure();
  Victim MeasureNetwork();
  Victim Session();
  Victim Sweep();
  Victim Collecting();
  Victim Contending();
  Victim Jobs();
  Victim Serve();
  void Kill(const Victim& victim, milliseconds after);

  MeteFolder folder;
  uint64_t last_batch = 1;
  int sessions = 0;
  size_t kept_runs = 0;  // of the session, before it was killed
  size_t finished = 0;   // commands that had ended before the kill
};

Victim Faults::Measure() {
  return {.name = "measure", .prepare = [this] {
            return WithWorkload({"measure", "--repeat", "40"});
          }};
}

Victim Faults::MeasureNetwork() {
  constexpr int kNotReliable = 4;
  return {.name = "measure --repeat of a network",
          .prepare = [this]() -> std::vector<std::string> {
            return {"measure",    nets() + "/lenet5.onnx",
                    "--repeat",   "5",
                    "--duration", "100ms"};
          },
          .marks = false,
          .also_fine = kNotReliable};
}

// The runs that the folder of a session has.
size_t KeptRuns(const std::filesystem::path& session) {
  size_t kept = 0;
  for (const char* name : {"a", "b"}) {
    for (int run = 1; run <= kRepeats; ++run) {
      kept += std::filesystem::exists(session / name / std::to_string(run) /
                                      "run.json");
    }
  }
  return kept;
}

// The runs in the profile of a session; fails if there is none.
Result<size_t> ProfiledRuns(const std::filesystem::path& session) {
  ASSIGN_OR_RETURN(std::string text, ReadFile(session / "profile.json"));
  ASSIGN_OR_RETURN(Json profile, ParseJson(text));
  return profile["applications"][0]["runs"].size() +
         profile["applications"][1]["runs"].size();
}

bool IsFinished(const std::filesystem::path& session) {
  auto state = ReadFile(session / "session.json");
  return state.ok() && state->find("\"finished\": true") != state->npos;
}

std::vector<std::string> Faults::RunSession() {
  const auto file = folder.path() / "session.yaml";
  Status written = WriteFileAtomically(
      file, fmt::format("defaults: {{repeat: {0}}}\n"
                        "applications:\n"
                        "  - {{name: a, command: [sh, -c, '{1}']}}\n"
                        "  - {{name: b, command: [sh, -c, '{1}']}}\n",
                        kRepeats, folder.Workload().back()));
  CHECK(written.ok());
  return {"session", "run", file, "--out", session()};
}

// Every kill goes on with the same session until it is finished.
Victim Faults::Session() {
  return {.name = "session",
          .prepare =
              [this] {
                if (IsFinished(session())) ++sessions;
                kept_runs = KeptRuns(session());
                return RunSession();
              },
          .check =
              [this] {
                const size_t kept = KeptRuns(session());
                EXPECT_GE(kept, kept_runs) << "the session went back";
                // The first run may have been kept just before the kill.
                if (kept < 2) return;
                auto profiled = ProfiledRuns(session());
                ASSERT_TRUE(profiled.ok()) << profiled.error().message();
                EXPECT_GE(*profiled, IsFinished(session()) ? kept : 1);
                EXPECT_TRUE(std::filesystem::exists(session() / "report.html"));
              }};
}

Victim Faults::Sweep() {
  return {
      .name = "sweep", .prepare = [this] {
        return WithWorkload({"sweep", "--memory", "256Mi:64Mi:4Mi", "--warm"});
      }};
}

Victim Faults::Collecting() {
  return {.name = "collect",
          .prepare = [this] { return Collect(++last_batch); },
          .marks = false};
}

// Every kill resumes the same campaign; its services must not outlive it.
Victim Faults::Contending() {
  return {.name = "contend",
          .prepare = [this]() -> std::vector<std::string> {
            return {"contend",  "random",
                    "--apps",   "kalman-gru-small,tclf-rf-small",
                    "--window", "200ms",
                    "--settle", "50ms",
                    "--runs",   "50",
                    "--out",    (folder.path() / "mixes").string()};
          },
          .marks = false};
}

Victim Faults::Jobs() {
  return {.name = "jobs run", .prepare = [this]() -> std::vector<std::string> {
            Submit();
            return {"jobs", "run", "--until-empty"};
          }};
}

Victim Faults::Serve() {
  return {.name = "serve",
          .prepare = [this]() -> std::vector<std::string> {
            Submit();
            return {"serve", "--listen",
                    "unix://" + (folder.path() / "serve").string()};
          },
          .ends_by_itself = false};
}

void Faults::Kill(const Victim& victim, milliseconds after) {
  auto before = folder.CheckedRuns();
  ASSERT_TRUE(before.ok()) << before.error().message();
  const std::vector<std::string> arguments = victim.prepare();
  folder.ClearMarks();
  const pid_t mete = folder.Start(arguments);
  std::this_thread::sleep_for(after);
  kill(mete, SIGKILL);
  const int code = MeteFolder::Wait(mete);
  if (code != 128 + SIGKILL) {
    ++finished;
    EXPECT_TRUE(victim.ends_by_itself);
    EXPECT_TRUE(code == 0 || code == victim.also_fine)
        << code << ": " << folder.Said();
  }
  EXPECT_THAT(WhatStays([&] { return ProcessesWith(folder.tag()); }),
              IsEmpty());
  // After the last process: its marks count, too.
  const size_t ended = victim.marks ? folder.CountMarks() : 0;

  auto stored = folder.CheckedRuns();
  ASSERT_TRUE(stored.ok()) << stored.error().message();
  EXPECT_TRUE(std::ranges::includes(*stored, *before)) << "runs were lost";
  EXPECT_GE(stored->size() - before->size() + 1, ended)
      << "more than the running trial was lost";
  victim.check();

  EXPECT_EQ(folder.Run({"runs", "list"}), 0) << folder.Said();
  EXPECT_THAT(WhatStays([&] { return EntriesOf(folder.temporary()); }),
              IsEmpty());
  EXPECT_THAT(WhatStays([&] { return CgroupsFor(mete); }), IsEmpty());
}

TEST_F(Faults, AKilledMeteLosesAtMostTheRunningTrialAndLeavesNothing) {
  const uint64_t kills = NumberFromEnvironment("METE_FAULTS_KILLS", 30);
  const uint64_t seed = NumberFromEnvironment(
      "METE_FAULTS_SEED",
      static_cast<uint64_t>(
          std::chrono::system_clock::now().time_since_epoch().count()));
  fmt::print("{} kills, METE_FAULTS_SEED={}\n", kills, seed);
  std::vector<Victim> victims = {Measure(),       Session(), Collecting(),
                                 Jobs(),          Serve(),   Contending(),
                                 MeasureNetwork()};
  if (geteuid() == 0) {
    victims.push_back(Sweep());
  } else {
    fmt::print("no sweeps: limits need root\n");
  }
  Random random(seed);
  for (uint64_t i = 0; i < kills && !HasFailure(); ++i) {
    const Victim& victim = victims[i % victims.size()];
    // Half of the kills hit the start, the others what follows.
    const milliseconds after(random.Below(i % 2 == 0 ? 250 : 1500));
    SCOPED_TRACE(fmt::format("kill {}: {} after {} ms", i + 1, victim.name,
                             after.count()));
    Kill(victim, after);
  }
  // What was killed again and again can still be finished.
  if (!IsFinished(session())) {
    EXPECT_EQ(folder.Run(RunSession()), 0) << folder.Said();
  }
  EXPECT_EQ(ProfiledRuns(session()).value(), 2 * kRepeats);
  EXPECT_EQ(folder.Run({"jobs", "list"}), 0) << folder.Said();
  auto runs = folder.CheckedRuns();
  ASSERT_TRUE(runs.ok());
  fmt::print("{} runs kept, {} commands had ended before the kill\n",
             runs->size(), finished);
}

}  // namespace
}  // namespace mete
