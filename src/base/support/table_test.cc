#include "support/table.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

TEST(Table, AlignsColumnsAndLeavesNoTrailingBlanks) {
  Table table({{"network"}, {"latency", Align::kRight}, {"note"}});
  table.AddRow({"lenet5", "0.12 ms", ""});
  table.AddRow({"resnet18", "39.1 ms", "±1 %"});
  EXPECT_EQ(table.Text(),
            "network   latency  note\n"
            "lenet5    0.12 ms\n"
            "resnet18  39.1 ms  ±1 %\n");
}

TEST(Table, CountsCharactersNotBytes) {
  Table table({{"a", Align::kRight}});
  table.AddRow({"±±±"});
  table.AddRow({"xxxx"});
  EXPECT_EQ(table.Text(), "   a\n ±±±\nxxxx\n");
}

TEST(Table, ACellCannotAddRows) {
  Table table({{"name"}, {"state"}});
  table.AddRow({"a\nforged  completed", "failed"});
  table.AddRow({"\033[2J", "failed"});
  EXPECT_EQ(table.Text(),
            "name                    state\n"
            "a\\x0aforged  completed  failed\n"
            "\\x1b[2J                 failed\n");
}

TEST(Table, AFirstColumnDistinguishesRowsOfSeveralTables) {
  Table table({{"op"}});
  table.AddRow({"Conv"});
  table.AddRow({"Relu"});
  table.AddFirstColumn({"network"}, "a.onnx");
  EXPECT_EQ(table.Csv(), "network,op\na.onnx,Conv\na.onnx,Relu\n");
}

TEST(Table, QuotesCsvCellsThatNeedIt) {
  Table table({{"name"}, {"text"}});
  table.AddRow({"a", "plain"});
  table.AddRow({"b", "say \"x\", y"});
  EXPECT_EQ(table.Csv(), "name,text\na,plain\nb,\"say \"\"x\"\", y\"\n");
}

}  // namespace
}  // namespace mete
