#include "net/http_answer_reader.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

using State = HttpAnswerReader::State;

constexpr std::string_view kPlain =
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nServer-Timing: "
    "service;dur=2\r\n\r\nhello";

HttpAnswerReader ReadWhole(std::string_view bytes, bool to_head = false) {
  HttpAnswerReader reader;
  reader.Start(to_head);
  reader.Take(bytes);
  return reader;
}

TEST(HttpAnswerReader, ReadsStatusLengthAndServiceTime) {
  HttpAnswerReader reader = ReadWhole(kPlain);
  EXPECT_EQ(reader.state(), State::kDone);
  EXPECT_EQ(reader.status(), 200);
  EXPECT_EQ(reader.body_bytes(), 5u);
  EXPECT_TRUE(reader.keep_alive());
  EXPECT_DOUBLE_EQ(reader.timing().service.value().count(), 0.002);
}

TEST(HttpAnswerReader, DoesNotDependOnHowTheBytesAreCut) {
  const std::string chunked =
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 503 Busy\r\n"
      "Transfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n"
      "10\r\n0123456789abcdef\r\n0\r\nTrailer: x\r\n\r\n";
  for (const std::string& bytes : {std::string(kPlain), chunked}) {
    for (size_t step = 1; step <= bytes.size(); ++step) {
      HttpAnswerReader reader;
      reader.Start(false);
      for (size_t at = 0; at < bytes.size(); at += step) {
        ASSERT_EQ(reader.state(), State::kReading) << step << " at " << at;
        std::string_view piece = std::string_view(bytes).substr(at, step);
        ASSERT_EQ(reader.Take(piece), piece.size());
      }
      EXPECT_EQ(reader.state(), State::kDone) << step;
      EXPECT_EQ(reader.status(), bytes == chunked ? 503 : 200);
      EXPECT_EQ(reader.body_bytes(), bytes == chunked ? 21u : 5u);
    }
  }
}

TEST(HttpAnswerReader, LeavesBytesAfterTheResponse) {
  HttpAnswerReader reader;
  reader.Start(false);
  EXPECT_EQ(reader.Take(std::string(kPlain) + "HTTP/1.1"), kPlain.size());
}

TEST(HttpAnswerReader, ResponsesWithoutBodyEndWithTheirHead) {
  EXPECT_EQ(ReadWhole("HTTP/1.1 204 No\r\n\r\n").state(), State::kDone);
  EXPECT_EQ(ReadWhole("HTTP/1.1 304 Same\r\n\r\n").state(), State::kDone);
  EXPECT_EQ(ReadWhole("HTTP/1.1 200 OK\ncontent-length:0\n\n").state(),
            State::kDone);
  EXPECT_EQ(
      ReadWhole("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n", true).state(),
      State::kDone);
}

TEST(HttpAnswerReader, BodyWithoutLengthEndsWithTheConnection) {
  HttpAnswerReader reader = ReadWhole("HTTP/1.1 200 OK\r\n\r\nhello");
  EXPECT_EQ(reader.state(), State::kReading);
  reader.TakeEnd();
  EXPECT_EQ(reader.state(), State::kDone);
  EXPECT_EQ(reader.body_bytes(), 5u);
  EXPECT_FALSE(reader.keep_alive());
}

TEST(HttpAnswerReader, ClosedConnectionDoesNotCompleteOtherResponses) {
  for (std::string_view bytes :
       {"", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhell",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello"}) {
    HttpAnswerReader reader = ReadWhole(bytes);
    reader.TakeEnd();
    EXPECT_EQ(reader.state(), State::kReading) << bytes;
  }
}

TEST(HttpAnswerReader, KnowsWhetherTheConnectionStaysOpen) {
  auto keeps = [](const std::string& line, const std::string& field) {
    return ReadWhole(line + "\r\ncontent-length: 0\r\n" + field + "\r\n")
        .keep_alive();
  };
  EXPECT_TRUE(keeps("HTTP/1.1 200 OK", ""));
  EXPECT_FALSE(keeps("HTTP/1.0 200 OK", ""));
  EXPECT_TRUE(keeps("HTTP/1.0 200 OK", "Connection: Keep-Alive\r\n"));
  EXPECT_FALSE(keeps("HTTP/1.1 200 OK", "connection: x, Close\r\n"));
}

TEST(HttpAnswerReader, RefusesWhatIsNotHttp) {
  const std::string many(size_t{70} * 1024, 'x');
  for (const std::string& bytes :
       {std::string("\r\n"), std::string("HTTP/2 200 OK\r\n"),
        std::string("HTTP/1.1 2x0 OK\r\n"), std::string("HTTP/1.1 099 OK\r\n"),
        std::string("HTTP/1.1 2000 OK\r\n"), std::string("SSH-2.0-OpenSSH\r\n"),
        std::string("HTTP/1.1 200 OK\r\nno colon\r\n"),
        std::string("HTTP/1.1 200 OK\r\n: empty\r\n"),
        std::string("HTTP/1.1 200 OK\r\ncontent-length: -1\r\n"),
        std::string("HTTP/1.1 200 OK\r\ncontent-length: 1\r\n"
                    "content-length: 2\r\n"),
        std::string("HTTP/1.1 101 Switching\r\n\r\n"),
        std::string("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
                    "xyz\r\n"),
        std::string("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
                    "1\r\nab\r\n"),
        std::string("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
                    "11112222333344445\r\n"),
        "HTTP/1.1 200 OK\r\nlong: " + many + "\r\n", many}) {
    EXPECT_EQ(ReadWhole(bytes).state(), State::kBad) << bytes.substr(0, 99);
  }
}

// Otherwise a server could keep a client busy with a response without end.
TEST(HttpAnswerReader, RefusesEndlessInterimResponses) {
  HttpAnswerReader reader;
  reader.Start(false);
  for (int i = 0; i < 10000 && reader.state() == State::kReading; ++i) {
    reader.Take("HTTP/1.1 100 Continue\r\n\r\n");
  }
  EXPECT_EQ(reader.state(), State::kBad);
}

TEST(HttpAnswerReader, KnowsEveryMinorVersion) {
  for (char minor = '/'; minor <= ':'; ++minor) {
    const std::string head =
        std::string("HTTP/1.") + minor + " 200 OK\r\ncontent-length: 0\r\n\r\n";
    const bool digit = minor != '/' && minor != ':';
    EXPECT_EQ(ReadWhole(head).state(), digit ? State::kDone : State::kBad)
        << head;
  }
}

TEST(HttpAnswerReader, AHeadMayHave64KiB) {
  const std::string before = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\nlong: ";
  auto state_of = [&](size_t bytes) {
    const size_t rest = bytes - before.size() - 4;
    return ReadWhole(before + std::string(rest, 'x') + "\r\n\r\n").state();
  };
  EXPECT_EQ(state_of(65536), State::kDone);
  EXPECT_EQ(state_of(65537), State::kBad);
}

TEST(HttpAnswerReader, TheLinesOfChunksAreNoHead) {
  std::string bytes = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
  for (int i = 0; i < 20'000; ++i) bytes += "1\r\nx\r\n";
  HttpAnswerReader reader = ReadWhole(bytes + "0\r\n\r\n");
  EXPECT_EQ(reader.state(), State::kDone);
  EXPECT_EQ(reader.body_bytes(), 20'000u);
}

TEST(HttpAnswerReader, AStatusHasThreeDigitsAndABlankOrNothingBehindThem) {
  auto state_of = [](const std::string& line) {
    return ReadWhole(line + "\r\ncontent-length: 0\r\n\r\n").state();
  };
  EXPECT_EQ(state_of("HTTP/1.1 200"), State::kDone);
  EXPECT_EQ(state_of("HTTP/1.1 200 "), State::kDone);
  EXPECT_EQ(state_of("HTTP/1.1 200X"), State::kBad);
  EXPECT_EQ(state_of("HTTP/1.1 20"), State::kBad);
  EXPECT_EQ(state_of("HTTP/1.1X200"), State::kBad);
}

TEST(HttpAnswerReader, StatusesBelow200AreInterim) {
  const std::string end = " X\r\ncontent-length: 0\r\n\r\n";
  for (const char* status : {"100", "102", "199"}) {
    HttpAnswerReader reader =
        ReadWhole(std::string("HTTP/1.1 ") + status + end);
    EXPECT_EQ(reader.state(), State::kReading) << status;
    EXPECT_EQ(reader.status(), 0) << status;
  }
  EXPECT_EQ(ReadWhole("HTTP/1.1 200" + end).state(), State::kDone);
}

TEST(HttpAnswerReader, TheSameLengthMayBeRepeated) {
  EXPECT_EQ(ReadWhole("HTTP/1.1 200 OK\r\ncontent-length: 1\r\n"
                      "content-length: 1\r\n\r\nx")
                .state(),
            State::kDone);
}

TEST(HttpAnswerReader, TheSizeOfAChunkIsANumberAlone) {
  const std::string head =
      "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
  for (const char* size : {"1x", "", ";x", "-1", "0x1"}) {
    EXPECT_EQ(ReadWhole(head + size + "\r\n").state(), State::kBad) << size;
  }
  EXPECT_EQ(ReadWhole(head + "0A ;x\r\n").state(), State::kReading);
}

TEST(HttpAnswerReader, TheNextAnswerIsReadLikeTheFirst) {
  HttpAnswerReader reader;
  reader.Start(true);
  reader.Take(
      "HTTP/1.0 503 Busy\r\ntransfer-encoding: chunked\r\n"
      "server-timing: service;dur=9\r\n\r\n");
  ASSERT_EQ(reader.state(), State::kDone);
  reader.Start(false);
  EXPECT_EQ(reader.status(), 0);
  EXPECT_EQ(reader.body_bytes(), 0u);
  EXPECT_EQ(reader.state(), State::kReading);
  EXPECT_FALSE(reader.timing().service.has_value());
  reader.Take("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nab");
  EXPECT_EQ(reader.state(), State::kDone);
  EXPECT_EQ(reader.status(), 200);
  EXPECT_EQ(reader.body_bytes(), 2u);
  EXPECT_TRUE(reader.keep_alive());
  // Its length is unknown: it ends with the connection.
  reader.Start(false);
  reader.Take("HTTP/1.1 200 OK\r\n\r\n");
  EXPECT_EQ(reader.state(), State::kReading);
}

TEST(HttpAnswerReader, TheFirstServiceTimeCounts) {
  HttpAnswerReader reader = ReadWhole(
      "HTTP/1.1 200 OK\r\nserver-timing: service;dur=2\r\n"
      "server-timing: service;dur=3\r\ncontent-length: 0\r\n\r\n");
  EXPECT_DOUBLE_EQ(reader.timing().service.value().count(), 0.002);
}

TEST(HttpAnswerReader, TheLineOfAChunkMayHave64KiB) {
  const std::string head =
      "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
  auto state_of = [&](size_t bytes) {
    return ReadWhole(head + "1;" + std::string(bytes - 4, 'x') +
                     "\r\na\r\n0\r\n\r\n")
        .state();
  };
  EXPECT_EQ(state_of(65536), State::kDone);
  EXPECT_EQ(state_of(65537), State::kBad);
}

}  // namespace
}  // namespace mete
