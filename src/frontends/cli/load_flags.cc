#include "cli/load_flags.h"

#include <fmt/format.h>

#include <algorithm>

#include "load/generated_request.h"
#include "support/file.h"
#include "support/random.h"
#include "support/text.h"

namespace mete {
namespace {

constexpr double kDefaultRate = 10;
constexpr Seconds kDefaultDuration{30};
constexpr size_t kLargestTrace = 256u << 20;

Result<std::vector<double>> ParseTargetRates(const std::string& text) {
  std::vector<double> rates;
  for (const std::string& one : SplitAt(text, ',')) {
    ASSIGN_OR_RETURN(double rate, ParseRate(one));
    rates.push_back(rate);
  }
  return rates;
}

Result<Seconds> ParsePositiveDuration(const std::string& text) {
  ASSIGN_OR_RETURN(Seconds time, ParseDuration(text));
  if (time.count() <= 0) return InvalidInput("the duration must be positive");
  return time;
}

Result<double> ParseRatePrecision(const std::string& text) {
  ASSIGN_OR_RETURN(double ratio, ParseRatio(text));
  if (ratio <= 0) return InvalidInput("the precision must be positive");
  return ratio;
}

// "Name: value".
Result<std::pair<std::string, std::string>> ParseLoadHeader(
    const std::string& text) {
  size_t colon = text.find(':');
  bool control = std::any_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < ' ' && c != '\t';
  });
  if (colon == std::string::npos || colon == 0 || control ||
      text.find(' ') < colon) {
    return InvalidInput(
        fmt::format("'{}' is not a header; write it like 'Name: value'", text));
  }
  std::string name = text.substr(0, colon);
  std::transform(name.begin(), name.end(), name.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  size_t value = text.find_first_not_of(" \t", colon + 1);
  return std::pair(name, value == std::string::npos ? "" : text.substr(value));
}

Result<std::string> ParseMethod(const std::string& text) {
  bool word =
      !text.empty() && std::all_of(text.begin(), text.end(),
                                   [](char c) { return c >= 'A' && c <= 'Z'; });
  if (!word) {
    return InvalidInput(
        fmt::format("'{}' is not a method; write it like POST", text));
  }
  return text;
}

bool IsTrace(const LoadFlags& flags) {
  return flags.arrivals != "poisson" && flags.arrivals != "constant";
}

Status CheckTogether(const LoadFlags& flags, bool any_url, bool any_service) {
  if (IsTrace(flags) && flags.rate) {
    return InvalidInput("a trace has its own rate; leave out --rate");
  }
  if (flags.find_rate) {
    if (!flags.slo) return InvalidInput("--find-rate needs --slo p95=50ms");
    if (IsTrace(flags)) {
      return InvalidInput("--find-rate cannot change the rate of a trace");
    }
    if (flags.targets.size() != 1) {
      return InvalidInput("--find-rate is for one service at a time");
    }
    if (!flags.samples.empty() || !flags.save_arrivals.empty()) {
      return InvalidInput(
          "--find-rate has many windows and no single list of requests; leave "
          "out --samples and --save-arrivals");
    }
  }
  if (!flags.save_arrivals.empty() && flags.targets.size() != 1) {
    return InvalidInput("--save-arrivals is for one service at a time");
  }
  bool of_url = flags.method || flags.body || !flags.headers.empty();
  if (of_url && !any_url) {
    return InvalidInput("--method, --body and --header are for URLs");
  }
  if ((flags.batch || flags.threads) && !any_service) {
    return InvalidInput(
        "--batch and --threads are for services that mete "
        "starts, not for URLs");
  }
  return {};
}

Result<GivenTarget> ReadTarget(const std::string& text) {
  GivenTarget target{.name = text};
  if (text.find("://") != std::string::npos) {
    ASSIGN_OR_RETURN(target.url, ParseLoadUrl(text));
  } else if (text.find(':') != std::string::npos) {
    return InvalidInput(fmt::format(
        "'{0}' is no application; for a URL write http://{0}", text));
  }
  return target;
}

}  // namespace

std::optional<RateObjective> LoadFlags::Objective() const {
  if (!slo) return std::nullopt;
  return *ParseRateObjective(*slo);
}

Seconds LoadFlags::Duration() const {
  return duration ? *ParseDuration(*duration) : kDefaultDuration;
}

void AddLoadFlags(Command command, LoadFlags& flags) {
  command
      .Option("TARGET", flags.targets,
              "URL of a service, or a network that mete serves during the "
              "load: a file or a name of mete zoo list")
      .Placeholder("URL|APP|NET.onnx")
      .Required();
  command
      .Option("--rate", flags.rate,
              "Requests per second to each target, or one rate per target "
              "(default 10/s)")
      .Check(ParseTargetRates, "RATE[,RATE...]");
  command
      .Option("--duration", flags.duration,
              "How long to send requests (default 30s, or as long as the "
              "trace)")
      .Check(ParsePositiveDuration, "DURATION");
  command
      .Option("--arrivals", flags.arrivals,
              "poisson (default), constant, or a file with arrival times")
      .Placeholder("KIND|FILE");
  command
      .Option("--drain", flags.drain,
              "How long to wait for missing answers afterwards (default: as "
              "long as --duration)")
      .Check(ParseDuration, "DURATION");
  command
      .Option("--connections", flags.connections,
              "Maximum number of connections to each target (default 64)")
      .Within(1, 65'536);
  command
      .Option("--seed", flags.seed, "Random seed of the arrivals (default 1)")
      .Check(ParseCount, "N");
  command
      .Option("--slo", flags.slo,
              "Objective on the sojourn time: exit with 3 if it is violated, "
              "e.g. p95=50ms")
      .Check(ParseRateObjective, "pN=DURATION");
  command.Switch(
      "--find-rate", flags.find_rate,
      "Search the highest rate that keeps --slo, starting at --rate");
  command
      .Option("--precision", flags.precision,
              "--find-rate: precision of the rate (default 5%)")
      .Check(ParseRatePrecision, "RATIO");
  command
      .Option("--method", flags.method,
              "URL: method (default GET, or POST "
              "with --body)")
      .Check(ParseMethod, "NAME");
  command.Option("--body", flags.body, "URL: body, or @FILE")
      .Placeholder("BODY|@FILE");
  command.Option("--header", flags.headers, "URL: header, e.g. 'Name: value'")
      .OneEach()
      .Check(ParseLoadHeader, "HEADER");
  command.Option("--batch", flags.batch, "APP: items per request (default 1)")
      .Within(1, 1 << 20);
  command
      .Option("--threads", flags.threads,
              "APP: threads of each inference (default 1)")
      .Within(1, 1024);
  command
      .Option("--samples", flags.samples,
              "File for the times of every request, as CSV")
      .Placeholder("FILE");
  command
      .Option("--save-arrivals", flags.save_arrivals,
              "File for the arrival times, to repeat them with --arrivals")
      .Placeholder("FILE");
}

Result<std::vector<GivenTarget>> ReadTargets(const LoadFlags& flags) {
  std::vector<GivenTarget> targets;
  bool any_url = false;
  bool any_service = false;
  for (const std::string& text : flags.targets) {
    ASSIGN_OR_RETURN(GivenTarget target, ReadTarget(text));
    (target.url ? any_url : any_service) = true;
    targets.push_back(std::move(target));
  }
  RETURN_IF_ERROR(CheckTogether(flags, any_url, any_service));
  if (IsTrace(flags)) return targets;
  std::vector<double> rates{kDefaultRate};
  if (flags.rate) rates = *ParseTargetRates(*flags.rate);
  if (rates.size() != 1 && rates.size() != targets.size()) {
    return InvalidInput(fmt::format("{} for {}; give one, or one for each",
                                    Counted(rates.size(), "rate"),
                                    Counted(targets.size(), "target")));
  }
  for (size_t i = 0; i < targets.size(); ++i) {
    targets[i].rate = rates[rates.size() == 1 ? 0 : i];
  }
  return targets;
}

Result<HttpRequest> MakeLoadRequest(const GivenTarget& target,
                                    const LoadFlags& flags) {
  if (!target.url) {
    return GeneratedInferenceRequest(flags.batch.value_or(1));
  }
  HttpRequest request{
      .method = flags.method.value_or(flags.body ? "POST" : "GET"),
      .target = target.url->target};
  if (flags.body) {
    request.body = *flags.body;
    if (request.body.starts_with('@')) {
      ASSIGN_OR_RETURN(request.body,
                       ReadFile(request.body.substr(1)).While("--body"));
    }
    if (request.body.starts_with('{') || request.body.starts_with('[')) {
      request.fields["content-type"] = "application/json";
    }
  }
  for (const std::string& text : flags.headers) {
    auto [name, value] = *ParseLoadHeader(text);
    request.fields[name] = value;
  }
  return request;
}

StartServiceRequest ServiceFor(const GivenTarget& target,
                               const LoadFlags& flags) {
  StartServiceRequest request{.arguments = {target.name}};
  if (flags.threads) {
    request.arguments.insert(request.arguments.end(),
                             {"--threads", std::to_string(*flags.threads)});
  }
  return request;
}

uint64_t SeedOfTarget(const LoadFlags& flags, size_t index) {
  if (index == 0) return flags.seed;
  return DeriveSeed(flags.seed, fmt::format("target {}", index));
}

Result<ArrivalSchedule> MakeArrivals(const GivenTarget& target, size_t index,
                                     const LoadFlags& flags) {
  if (!IsTrace(flags)) {
    ArrivalRequest request{.rate = target.rate,
                           .window = flags.Duration(),
                           .seed = SeedOfTarget(flags, index)};
    return flags.arrivals == "poisson" ? PoissonArrivals(request)
                                       : ConstantArrivals(request);
  }
  auto text = ReadFile(flags.arrivals);
  if (!text.ok()) {
    return InvalidInput(
        fmt::format("--arrivals: expected poisson, constant or a file: {}",
                    text.error().message()));
  }
  if (text->size() > kLargestTrace) {
    return InvalidInput(flags.arrivals + ": the trace is too large");
  }
  std::optional<Seconds> window;
  if (flags.duration) window = flags.Duration();
  ASSIGN_OR_RETURN(ArrivalSchedule schedule,
                   ParseArrivalTrace(*text, window).While(flags.arrivals));
  schedule.origin = "trace " + flags.arrivals;
  return schedule;
}

}  // namespace mete
