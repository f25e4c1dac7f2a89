#include "adapters/gnuplot/gnuplot_renderer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "support/file.h"

namespace mete {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string Fixed(double value) { return std::to_string(value); }

bool HasGnuplot() {
  return std::system("gnuplot --version >/dev/null 2>&1") == 0;
}

Drawing Named(const std::string& name) {
  PlotSeries series{.label = name,
                    .points = {{.x = 1, .y = 2, .low = 1, .high = 3},
                               {.x = 2, .y = 1, .low = 1, .high = 2}},
                    .failures = {0.5}};
  return {.name = "plot",
          .title = name,
          .content = Plot{.x = {.title = name, .format = Fixed},
                          .y = {.title = name, .format = Fixed},
                          .series = {series}}};
}

Drawing Bars(const std::string& name) {
  return {.name = "bars",
          .title = name,
          .content = BarChart{
              .axis = {.title = name, .format = Fixed},
              .groups = {{.label = name, .bars = {{name, 1}, {"b", 2}}}}}};
}

// A program that stands in for gnuplot.
std::string Script(const std::filesystem::path& folder,
                   const std::string& body) {
  std::filesystem::path file = folder / "gnuplot";
  EXPECT_TRUE(WriteFileAtomically(file, "#!/bin/sh\n" + body).ok());
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  return file.string();
}

TEST(GnuplotRenderer, DrawsSvgAndPng) {
  if (!HasGnuplot()) GTEST_SKIP() << "needs gnuplot (gnuplot-nox)";
  GnuplotRenderer renderer;
  for (const Drawing& drawing : {Named("CNN_1d"), Bars("CNN_1d")}) {
    auto svg = renderer.Render(drawing, PictureFormat::kSvg);
    ASSERT_TRUE(svg.ok()) << svg.error().message();
    EXPECT_THAT(*svg, HasSubstr("<svg"));
    EXPECT_THAT(*svg, HasSubstr("CNN_1d"));
    auto png = renderer.Render(drawing, PictureFormat::kPng);
    ASSERT_TRUE(png.ok()) << png.error().message();
    EXPECT_THAT(*png, StartsWith("\x89PNG"));
  }
}

TEST(GnuplotRenderer, PreservesEveryCharacter) {
  if (!HasGnuplot()) GTEST_SKIP() << "needs gnuplot (gnuplot-nox)";
  const std::string name = "0.75 '1`2%3 {a}_b^c@d!8\\9 \u2264";
  for (const Drawing& drawing : {Named(name), Bars(name)}) {
    auto svg = GnuplotRenderer().Render(drawing, PictureFormat::kSvg);
    ASSERT_TRUE(svg.ok()) << svg.error().message();
    EXPECT_THAT(*svg, HasSubstr(">" + name + "<"));
  }
}

TEST(GnuplotRenderer, DrawsAnEmptyPlot) {
  if (!HasGnuplot()) GTEST_SKIP() << "needs gnuplot (gnuplot-nox)";
  Drawing empty{.content =
                    Plot{.x = {.format = Fixed}, .y = {.format = Fixed}}};
  auto svg = GnuplotRenderer().Render(empty, PictureFormat::kSvg);
  EXPECT_TRUE(svg.ok()) << svg.error().message();
}

TEST(GnuplotRenderer, NamesOfWorkloadsCannotRunCommands) {
  if (!HasGnuplot()) GTEST_SKIP() << "needs gnuplot (gnuplot-nox)";
  ScratchFolder folder = ScratchFolder::Create().value();
  std::filesystem::path harm = folder.path() / "harm";
  const std::string touch = "touch " + harm.string();
  for (const std::string& name : std::initializer_list<std::string>{
           "`" + touch + "`", "\"; system(\"" + touch + "\"); \"",
           "'; system('" + touch + "'); '", "x\nsystem \"" + touch + "\"\n",
           "\nEOD\n!" + touch + "\n", "\\", "@x %s %d {/Bold ^_}", "\xFF\xFE",
           std::string("a\0b", 3)}) {
    for (const Drawing& drawing : {Named(name), Bars(name)}) {
      auto svg = GnuplotRenderer().Render(drawing, PictureFormat::kSvg);
      EXPECT_TRUE(svg.ok()) << name << ": " << svg.error().message();
      EXPECT_FALSE(std::filesystem::exists(harm)) << name;
    }
  }
}

TEST(GnuplotRenderer, NamesThePackageToInstall) {
  auto svg = GnuplotRenderer("/nowhere/gnuplot")
                 .Render(Named("a"), PictureFormat::kSvg);
  ASSERT_FALSE(svg.ok());
  EXPECT_EQ(svg.error().code(), ErrorCode::kUnavailable);
  EXPECT_EQ(svg.error().message(),
            "gnuplot is not installed (Debian: apt install gnuplot-nox)");
}

TEST(GnuplotRenderer, ReportsTheFirstErrorLine) {
  ScratchFolder folder = ScratchFolder::Create().value();
  std::string program = Script(folder.path(),
                               "printf '\\nplot foo\\n     ^\\n"
                               "     line 3: warning: late\\n"
                               "     line 7: undefined variable: foo\\n' >&2\n"
                               "exit 1\n");
  auto svg = GnuplotRenderer(program).Render(Named("a"), PictureFormat::kSvg);
  ASSERT_FALSE(svg.ok());
  EXPECT_EQ(svg.error().message(),
            "plot: gnuplot: line 7: undefined variable: foo");
}

TEST(GnuplotRenderer, FailsWhenNothingIsDrawn) {
  ScratchFolder folder = ScratchFolder::Create().value();
  auto svg = GnuplotRenderer(Script(folder.path(), "exit 0\n"))
                 .Render(Named("a"), PictureFormat::kSvg);
  ASSERT_FALSE(svg.ok());
  EXPECT_EQ(svg.error().message(), "plot: gnuplot: no error message");
}

}  // namespace
}  // namespace mete
