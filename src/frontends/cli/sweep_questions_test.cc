#include "cli/sweep_questions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

#include "support/file.h"

namespace mete {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

// Answers from a list, then with Ctrl-D. Records questions and messages.
class ScriptedDialogue final : public Dialogue {
 public:
  explicit ScriptedDialogue(std::deque<std::string> answers)
      : answers_(std::move(answers)) {}

  void Say(const std::string& line) override { said.push_back(line); }
  std::optional<std::string> Ask(const std::string& question) override {
    asked.push_back(question);
    if (answers_.empty()) return std::nullopt;
    std::string answer = answers_.front();
    answers_.pop_front();
    return answer;
  }
  size_t left() const { return answers_.size(); }

  std::vector<std::string> asked;
  std::vector<std::string> said;

 private:
  std::deque<std::string> answers_;
};

constexpr SweepMachine kMachine{.memory = Gibibytes(8), .cpus = {4000}};

Status TorchIsHere() { return {}; }

Result<SweepWishes> Asked(ScriptedDialogue& dialogue,
                          const SweepMachine& machine = kMachine) {
  return AskForSweep(dialogue, machine, TorchIsHere);
}

// Returns the command line for these answers and checks that all are used.
std::string CommandLineFor(std::deque<std::string> answers,
                           const SweepMachine& machine = kMachine) {
  ScriptedDialogue dialogue(std::move(answers));
  auto wishes = Asked(dialogue, machine);
  EXPECT_TRUE(wishes.ok()) << wishes.error().message();
  EXPECT_EQ(dialogue.left(), 0u);
  return dialogue.said.empty() ? "" : dialogue.said.back();
}

// Returns the messages printed for these answers, followed by Ctrl-D.
std::vector<std::string> SaidTo(std::deque<std::string> answers) {
  ScriptedDialogue dialogue(std::move(answers));
  auto wishes = Asked(dialogue);
  EXPECT_FALSE(wishes.ok());
  return dialogue.said;
}

TEST(SweepQuestions, EnterSelectsTheDefaults) {
  EXPECT_EQ(CommandLineFor({"", "", "", "", "", "", "", "", ""}),
            "mete sweep --memory 512Mi:32Mi --search bisect -- mete-torch "
            "train --network CNN_1d --dataset synthetic --epochs 10 "
            "--no-onnx --checkpoint checkpoints/CNN_1d-synthetic --fresh");
}

TEST(SweepQuestions, DefaultsAreShownInBrackets) {
  ScriptedDialogue dialogue({"", "", "", "", "", "", "", "", ""});
  ASSERT_TRUE(Asked(dialogue).ok());
  EXPECT_THAT(dialogue.asked,
              ElementsAre("what to sweep: 1 training, 2 inference, 3 ONNX "
                          "file, 4 command, 5 image\n  [training]: ",
                          "dataset: 1 synthetic, 2 SEU, 3 MFPT, 4 CWRU, 5 PU "
                          "[synthetic]: ",
                          "network: 1 MLP, 2 CNN_1d, 3 LeNet1d, 4 Alexnet1d, "
                          "5 Resnet1d, 6 BiLSTM1d,\n  7 Ae1d, 8 Sae1d "
                          "[CNN_1d]: ",
                          "epochs [10]: ", "limit: 1 memory, 2 CPUs [memory]: ",
                          "upper memory limit, at most 8.0 GiB [512Mi]: ",
                          "lower memory limit, at least 6.0 MiB [32Mi]: ",
                          "step size, or bisect [bisect]: ", "start? [Y/n] "));
}

TEST(SweepQuestions, ChoicesCanBeNumbersOrNames) {
  EXPECT_EQ(CommandLineFor({"2", "1", "8", "2", "", "", "", "y"}),
            "mete sweep --cpus 1:0.1:0.1 -- mete-torch infer --network Sae1d "
            "--dataset synthetic");
  EXPECT_EQ(CommandLineFor({"Inference", "synthetic", "resnet1d", "cpus", "0.5",
                            "0.1", "bisect", "Yes"}),
            "mete sweep --cpus 0.5:0.1 --search bisect -- mete-torch infer "
            "--network Resnet1d --dataset synthetic");
}

TEST(SweepQuestions, ARealDataSetNeedsAFolder) {
  ScratchFolder folder = ScratchFolder::Create().value();
  std::string path = folder.path().string();
  EXPECT_EQ(
      CommandLineFor({"train", "CWRU", path, "MLP", "3", "", "", "", "", ""}),
      "mete sweep --memory 512Mi:32Mi --search bisect -- mete-torch "
      "train --network MLP --dataset CWRU --data-dir " +
          path +
          " --epochs 3 --no-onnx --checkpoint checkpoints/MLP-CWRU --fresh");
  EXPECT_THAT(SaidTo({"1", "CWRU", "/nowhere"}),
              Contains("  '/nowhere' is not a folder"));
}

TEST(SweepQuestions, AsksForTheNetworkFile) {
  ScratchFolder folder = ScratchFolder::Create().value();
  std::filesystem::path file = folder.path() / "net.onnx";
  ASSERT_TRUE(WriteFileAtomically(file, "").ok());
  EXPECT_EQ(
      CommandLineFor({"onnx", file.string(), "", "64Mi", "16Mi", "8Mi", ""}),
      "mete sweep --memory 64Mi:16Mi:8Mi " + file.string());
  EXPECT_THAT(SaidTo({"3", "/nowhere.onnx"}),
              Contains("  '/nowhere.onnx' is not a file"));
}

// Changes the working folder and back.
class InFolder {
 public:
  explicit InFolder(const std::filesystem::path& folder)
      : before_(std::filesystem::current_path()) {
    std::filesystem::current_path(folder);
  }
  ~InFolder() { std::filesystem::current_path(before_); }

 private:
  std::filesystem::path before_;
};

TEST(SweepQuestions, InferenceLoadsWhatTrainingHasSaved) {
  ScratchFolder folder = ScratchFolder::Create().value();
  InFolder there(folder.path());
  std::deque<std::string> answers = {"2", "1", "MLP", "2", "", "", "", "y"};
  EXPECT_THAT(CommandLineFor(answers), testing::Not(HasSubstr("checkpoint")));
  std::string training =
      CommandLineFor({"1", "1", "MLP", "3", "", "", "", "", "y"});
  EXPECT_THAT(training, HasSubstr("--checkpoint checkpoints/MLP-synthetic"));
  std::filesystem::create_directories("checkpoints/MLP-synthetic");
  ASSERT_TRUE(
      WriteFileAtomically("checkpoints/MLP-synthetic/best.pt", "").ok());
  EXPECT_THAT(CommandLineFor(answers),
              testing::EndsWith("mete-torch infer --network MLP --dataset "
                                "synthetic --checkpoint "
                                "checkpoints/MLP-synthetic"));
}

TEST(SweepQuestions, AnImageMayHaveArguments) {
  EXPECT_EQ(CommandLineFor({"5", "alpine:3", "", "", "", "", "", ""}),
            "mete sweep --memory 512Mi:32Mi --search bisect --image alpine:3");
  EXPECT_EQ(CommandLineFor({"image", "alpine:3", "sh -c 'exit 0'", "CPUs", "",
                            "", "", ""}),
            "mete sweep --cpus 1:0.1:0.1 --image alpine:3 -- sh -c 'exit 0'");
  EXPECT_THAT(SaidTo({"5", "--privileged"}),
              ElementsAre("  '--privileged' is not the name of an image"));
}

TEST(SweepQuestions, ACommandIsSplitLikeAShellDoes) {
  EXPECT_EQ(CommandLineFor({"4", "./app 'a b' c", "", "", "", "", ""}),
            "mete sweep --memory 512Mi:32Mi --search bisect -- ./app 'a b' c");
  EXPECT_THAT(SaidTo({"4", "./app 'a"}), testing::SizeIs(1));
  EXPECT_THAT(SaidTo({"4", ""}), Contains("  an answer is required"));
}

TEST(SweepQuestions, AnInvalidChoiceIsExplainedAndAskedAgain) {
  ScriptedDialogue dialogue({"6", "trianing", "1"});
  EXPECT_FALSE(Asked(dialogue).ok());
  EXPECT_THAT(
      dialogue.said,
      ElementsAre("  '6' is not one of the choices",
                  "  'trianing' is not one of the choices; did you mean "
                  "'training'?"));
  EXPECT_EQ(dialogue.asked[0], dialogue.asked[2]);
  EXPECT_THAT(dialogue.asked[3], HasSubstr("dataset: "));
}

TEST(SweepQuestions, AnAmbiguousPrefixIsInvalid) {
  EXPECT_THAT(SaidTo({"1", "1", "a"}),
              Contains("  'a' is not one of the choices"));
}

TEST(SweepQuestions, LimitsAreBoundedByTheMachineAndTheMinimum) {
  EXPECT_THAT(SaidTo({"4", "x", "1", "9Gi"}),
              ElementsAre("  9.0 GiB is more than 8.0 GiB"));
  EXPECT_THAT(SaidTo({"4", "x", "1", "512"}),
              ElementsAre("  '512' has no unit; did you mean 512Mi? Write 512B "
                          "for bytes"));
  EXPECT_THAT(SaidTo({"4", "x", "1", "64Mi", "5Mi", "65Mi"}),
              ElementsAre("  5.0 MiB is less than 6.0 MiB",
                          "  65.0 MiB is more than 64.0 MiB"));
  EXPECT_THAT(SaidTo({"4", "x", "2", "5", "4", "0.001"}),
              ElementsAre("  5 CPUs is more than 4 CPUs",
                          "  0.001 CPUs is less than 0.01 CPUs"));
}

TEST(SweepQuestions, AStepIsPositiveAndWithinTheRange) {
  EXPECT_THAT(
      SaidTo({"4", "x", "1", "64Mi", "32Mi", "0", "33Mi", "often"}),
      ElementsAre("  the step must be positive",
                  "  the step exceeds the range of 32.0 MiB", testing::_));
}

TEST(SweepQuestions, DefaultsFitASmallMachine) {
  SweepMachine small{.memory = Mebibytes(256), .cpus = {500}};
  EXPECT_EQ(CommandLineFor({"4", "x", "1", "", "", "", ""}, small),
            "mete sweep --memory 256Mi:32Mi --search bisect -- x");
  EXPECT_EQ(CommandLineFor({"4", "x", "2", "", "", "", ""}, small),
            "mete sweep --cpus 0.5:0.1:0.1 -- x");
  EXPECT_EQ(CommandLineFor({"4", "x", "1", "16Mi", "", "", ""}, small),
            "mete sweep --memory 16Mi:6Mi --search bisect -- x");
  EXPECT_EQ(CommandLineFor({"4", "x", "2", "0.1", "", "", ""}, small),
            "mete sweep --cpus 0.1:0.01:0.1 -- x");
}

TEST(SweepQuestions, CtrlDAtAnyQuestionStartsNothing) {
  std::deque<std::string> all = {"", "", "", "", "", "", "", ""};
  for (size_t given = 0; given <= all.size(); ++given) {
    ScriptedDialogue dialogue(
        {all.begin(), all.begin() + static_cast<ptrdiff_t>(given)});
    auto wishes = Asked(dialogue);
    ASSERT_FALSE(wishes.ok()) << given;
    EXPECT_EQ(wishes.error().code(), ErrorCode::kInterrupted);
    EXPECT_EQ(wishes.error().message(), "nothing was started");
  }
}

TEST(SweepQuestions, AnsweringNoStartsNothing) {
  ScriptedDialogue dialogue({"4", "x", "", "", "", "", "what", "n"});
  auto wishes = Asked(dialogue);
  ASSERT_FALSE(wishes.ok());
  EXPECT_EQ(wishes.error().code(), ErrorCode::kInterrupted);
  EXPECT_THAT(dialogue.said, Contains("  answer y or n"));
}

TEST(SweepQuestions, AMissingMeteTorchIsReportedBeforeTheNextQuestion) {
  ScriptedDialogue dialogue({"1", "1"});
  auto wishes = AskForSweep(dialogue, kMachine, [] {
    return Status(Unavailable("mete-torch is not installed"));
  });
  ASSERT_FALSE(wishes.ok());
  EXPECT_EQ(wishes.error().code(), ErrorCode::kUnavailable);
  EXPECT_EQ(dialogue.left(), 1u);
}

}  // namespace
}  // namespace mete
