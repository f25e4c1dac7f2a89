#include "adapters/torch/libtorch.h"  // before all of ours

#include "adapters/torch/deepsets_training.h"
#include "adapters/torch/libtorch_calls.h"
#include "support/random.h"

namespace mete {
namespace {

using torch::Tensor;
using torch::nn::Linear;

// Two hidden layers with GELU, as in NeuRO.
struct DeepSetsLayers {
  std::array<Linear, 3> layers;

  explicit DeepSetsLayers(std::span<const LayerSize> sizes)
      : layers{Make(sizes[0]), Make(sizes[1]), Make(sizes[2])} {}

  static Linear Make(const LayerSize& size) {
    return Linear(static_cast<int64_t>(size.inputs),
                  static_cast<int64_t>(size.outputs));
  }
  Tensor Run(Tensor values) {
    values = torch::gelu(layers[0]->forward(values));
    values = torch::gelu(layers[1]->forward(values));
    return layers[2]->forward(values);
  }
};

Tensor ToTensor(const std::vector<float>& values, at::IntArrayRef shape) {
  return torch::tensor(values).reshape(shape);
}

std::vector<float> ToFloats(const Tensor& tensor) {
  const Tensor flat = tensor.detach().contiguous();
  const float* first = flat.data_ptr<float>();
  return {first, first + flat.numel()};
}

// The points of a batch as tensors. Elements of all contexts follow one
// another; `owner` says to which point each belongs.
struct DeepSetsBatch {
  std::vector<int64_t> target_application, element_application, owner;
  std::vector<float> target_features, element_features, times, counters,
      counted;

  static void AddFeatures(const DeepSetsElement& element,
                          std::vector<int64_t>& applications,
                          std::vector<float>& features) {
    applications.push_back(static_cast<int64_t>(element.application));
    features.push_back(
        static_cast<float>(element.instances / kDeepSetsInstances));
    features.push_back(static_cast<float>(element.rate / kDeepSetsRate));
  }
  int64_t size() const {
    return static_cast<int64_t>(target_application.size());
  }
};

class DeepSetsTrainer {
 public:
  DeepSetsTrainer(std::span<const DeepSetsPoint> points,
                  const DeepSetsTraining& training)
      : points_(points),
        training_(training),
        scales_(LargestTimes(points, training.applications)),
        counter_scales_(LargestCounters(points)),
        embedding_(static_cast<int64_t>(training.applications),
                   static_cast<int64_t>(kDeepSetsEmbedding)),
        element_(kElementLayers),
        time_(kTimeLayers),
        counter_(kCounterLayers) {}

  Result<ScaledDeepSets> Run() {
    if (training_.start) {
      ASSIGN_OR_RETURN(DeepSetsNetwork start, training_.start(Export()));
      Import(start);
    }
    std::vector<Tensor> parameters = Parameters();
    torch::optim::Adam adam(parameters,
                            torch::optim::AdamOptions(training_.rate));
    Random random(training_.seed);
    std::vector<size_t> order(points_.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    double counter_weight = training_.counter_share;
    for (int64_t epoch = 0; epoch < training_.epochs; ++epoch) {
      Shuffle(order, random);
      const auto batch = static_cast<size_t>(training_.batch);
      for (size_t from = 0; from < order.size(); from += batch) {
        const size_t count = std::min(batch, order.size() - from);
        adam.zero_grad();
        Loss(MakeBatch(std::span(order).subspan(from, count)), counter_weight)
            .backward();
        torch::nn::utils::clip_grad_norm_(parameters, training_.largest_norm);
        adam.step();
      }
      counter_weight *= 0.9;
    }
    return ScaledDeepSets{.network = Export(), .scales = scales_};
  }

 private:
  std::vector<Tensor> Parameters() {
    std::vector<Tensor> all{embedding_->weight};
    for (DeepSetsLayers* part : {&element_, &time_, &counter_}) {
      for (Linear& layer : part->layers) {
        all.push_back(layer->weight);
        all.push_back(layer->bias);
      }
    }
    return all;
  }

  DeepSetsBatch MakeBatch(std::span<const size_t> chosen) const {
    DeepSetsBatch batch;
    for (size_t index : chosen) {
      const DeepSetsPoint& point = points_[index];
      for (const DeepSetsElement& element : point.context) {
        batch.owner.push_back(batch.size());
        DeepSetsBatch::AddFeatures(element, batch.element_application,
                                   batch.element_features);
      }
      DeepSetsBatch::AddFeatures(point.target, batch.target_application,
                                 batch.target_features);
      for (size_t i = 0; i < kDeepSetsOutputs; ++i) {
        batch.times.push_back(static_cast<float>(
            point.times[i] / scales_[point.target.application][i]));
      }
      for (size_t i = 0; i < kDeepSetsCounters; ++i) {
        batch.counted.push_back(point.counters[i] ? 1.0F : 0.0F);
        batch.counters.push_back(static_cast<float>(
            point.counters[i].value_or(0) / counter_scales_[i]));
      }
    }
    return batch;
  }

  Tensor Features(const std::vector<int64_t>& applications,
                  const std::vector<float>& features) {
    const auto rows = static_cast<int64_t>(applications.size());
    return torch::cat({embedding_->forward(torch::tensor(applications)),
                       ToTensor(features, {rows, 2})},
                      1);
  }

  Tensor Loss(const DeepSetsBatch& batch, double counter_weight) {
    const int64_t rows = batch.size();
    Tensor pooled = torch::zeros({rows, 5});
    if (!batch.owner.empty()) {
      pooled = pooled.index_add(0, torch::tensor(batch.owner),
                                element_.Run(Features(batch.element_application,
                                                      batch.element_features)));
    }
    const Tensor own =
        Features(batch.target_application, batch.target_features);
    const Tensor times = time_.Run(torch::cat({pooled, own}, 1)).exp();
    Tensor loss = torch::mse_loss(
        times,
        ToTensor(batch.times, {rows, static_cast<int64_t>(kDeepSetsOutputs)}));
    // GELU on the output, too.
    const std::array<int64_t, 2> shape{rows,
                                       static_cast<int64_t>(kDeepSetsCounters)};
    const Tensor errors =
        (torch::gelu(counter_.Run(own)) - ToTensor(batch.counters, shape)) *
        ToTensor(batch.counted, shape);
    return loss + counter_weight * errors.square().mean();
  }

  static void ExportLayers(DeepSetsLayers& from,
                           std::array<DenseLayer, 3>& to) {
    for (size_t l = 0; l < to.size(); ++l) {
      to[l] = {.weights = ToFloats(from.layers[l]->weight),
               .biases = ToFloats(from.layers[l]->bias)};
    }
  }
  static void ImportLayers(const std::array<DenseLayer, 3>& from,
                           DeepSetsLayers& to) {
    for (size_t l = 0; l < from.size(); ++l) {
      Linear& layer = to.layers[l];
      layer->weight.copy_(ToTensor(from[l].weights, layer->weight.sizes()));
      layer->bias.copy_(ToTensor(from[l].biases, layer->bias.sizes()));
    }
  }

  DeepSetsNetwork Export() {
    DeepSetsNetwork network{.embedding = ToFloats(embedding_->weight)};
    ExportLayers(element_, network.element);
    ExportLayers(time_, network.time);
    ExportLayers(counter_, network.counter);
    return network;
  }
  void Import(const DeepSetsNetwork& network) {
    torch::NoGradGuard no_gradients;
    embedding_->weight.copy_(
        ToTensor(network.embedding, embedding_->weight.sizes()));
    ImportLayers(network.element, element_);
    ImportLayers(network.time, time_);
    ImportLayers(network.counter, counter_);
  }

  std::span<const DeepSetsPoint> points_;
  const DeepSetsTraining& training_;
  std::vector<std::array<double, kDeepSetsOutputs>> scales_;
  std::array<double, kDeepSetsCounters> counter_scales_;
  torch::nn::Embedding embedding_;
  DeepSetsLayers element_;
  DeepSetsLayers time_;
  DeepSetsLayers counter_;
};

}  // namespace

Result<ScaledDeepSets> TrainDeepSets(std::span<const DeepSetsPoint> points,
                                     const DeepSetsTraining& training) {
  if (points.empty()) {
    return InvalidInput(
        "no mix has two tenants that answered: the network learns nothing "
        "from services alone");
  }
  return Caught("train the network", ErrorCode::kUnavailable,
                [&]() -> Result<ScaledDeepSets> {
                  UseThreads(1);
                  torch::manual_seed(training.seed);
                  return DeepSetsTrainer(points, training).Run();
                });
}

}  // namespace mete
