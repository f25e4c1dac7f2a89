#include "serve/log_events.h"

#include <fmt/format.h>

#include <charconv>
#include <memory>

#include "serve/reply.h"

namespace mete {
namespace {

constexpr size_t kLongestLine = 32 << 10;

uint64_t LastEvent(const HttpRequest& request) {
  auto field = request.fields.find("last-event-id");
  uint64_t offset = 0;
  if (field == request.fields.end()) return offset;
  const std::string& text = field->second;
  std::from_chars(text.data(), text.data() + text.size(), offset);
  return offset;
}

// The text so far, piece by piece: the log of a job may have many megabytes.
HttpReply WholeText(const Job& job) {
  HttpReply reply = TextReply(200, "");
  if (job.folder.empty()) {
    reply.pieces = [] { return std::optional<std::string>(); };
    return reply;
  }
  auto log = std::make_shared<JobLog>(job.folder);
  reply.pieces = [log]() -> std::optional<std::string> {
    auto text = log->Read();
    if (!text.ok() || text->empty()) return std::nullopt;
    return *std::move(text);
  };
  return reply;
}

// An empty line ends an event. A carriage return would also end a line.
std::string Event(uint64_t id, std::string_view line) {
  std::string data(line);
  std::erase(data, '\r');
  return fmt::format("id: {}\ndata: {}\n\n", id, data);
}

}  // namespace

HttpReply LogReply(JobStore& jobs, const RoutedRequest& request) {
  auto job = jobs.FindJob(request.path.at("id"));
  if (!job.ok()) return ErrorReply(job.error());
  auto follow = request.query.find("follow");
  if (follow != request.query.end() && follow->second == "false") {
    return WholeText(*job);
  }
  HttpReply reply;
  reply.response.status = 200;
  reply.response.fields["content-type"] = "text/event-stream";
  reply.response.fields["cache-control"] = "no-store";
  auto events =
      std::make_shared<LogEvents>(jobs, job->id, LastEvent(request.http));
  reply.pieces = [events] { return events->Next(); };
  return reply;
}

std::optional<std::string> LogEvents::Next() {
  if (over_) return std::nullopt;
  // Get the state before reading the log: the log of an ended job is complete.
  auto job = jobs_.FindJob(id_);
  if (!job.ok()) return std::nullopt;
  if (!log_ && !job->folder.empty()) log_.emplace(job->folder, offset_);
  auto text = log_ ? log_->Read() : Result<std::string>(std::string());
  if (!text.ok()) return std::nullopt;
  if (!text->empty()) return Lines(*text, false);
  if (!IsFinal(job->state)) return "";
  over_ = true;
  return Lines("", true) +
         fmt::format("event: end\ndata: {{\"state\":\"{}\"}}\n\n",
                     ToString(job->state));
}

std::string LogEvents::Lines(std::string_view text, bool last) {
  rest_ += text;
  std::string events;
  size_t start = 0;
  for (size_t end = rest_.find('\n'); end != std::string::npos;
       end = rest_.find('\n', start)) {
    offset_ += end + 1 - start;
    events +=
        Event(offset_, std::string_view(rest_).substr(start, end - start));
    start = end + 1;
  }
  rest_.erase(0, start);
  // Send long lines before they end, e.g. those of a progress bar.
  bool long_enough = rest_.size() >= kLongestLine;
  if ((last || long_enough) && !rest_.empty()) {
    offset_ += rest_.size();
    events += Event(offset_, rest_);
    rest_.clear();
  }
  return events;
}

}  // namespace mete
