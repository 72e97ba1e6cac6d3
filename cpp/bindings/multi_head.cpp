#include "attn/multi_head.h"

#include <emscripten/bind.h>

#include "call.h"
#include "report.h"

namespace attn::bindings {
namespace {

/// The widths of the call that was prepared last.
MultiHeadShape& preparedShape() {
  static MultiHeadShape shape;
  return shape;
}

/// Places of weights and biases; 0: not there.
struct Layers {
  Place wq;
  Place wk;
  Place wv;
  Place wo;
  Place bq;
  Place bk;
  Place bv;
  Place bo;
};

/// Of the tensors, `query` is the place of x, `key` and `value` those of what keys and values are made from.
template <class T>
MultiHeadInputs<T> inputsOf(const Call& call, const Layers& layers) {
  const auto layer = [&](Place weights, Place bias) {
    return LinearLayer<T>{call.at<const T>(weights), call.at<const T>(bias)};
  };
  const TensorInputs<T> attention = call.inputs<T>();
  return {attention.query,
          attention.key,
          attention.value,
          layer(layers.wq, layers.bq),
          layer(layers.wk, layers.bk),
          layer(layers.wv, layers.bv),
          layer(layers.wo, layers.bo),
          attention.bias};
}

template <class T>
MultiHeadOutputs<T> outputsOf(const Call& call, Place heads) {
  const CallTensors& places = call.tensors();
  return {call.at<T>(places.output), call.at<T>(heads), call.at<T>(places.weights), call.at<T>(places.scores),
          call.at<T>(places.logSumExp)};
}

/// Prepares a call of these widths, the shape of whose attention follows from `call`.
template <class WorkingBytes>
Address prepareWidths(const MultiHeadShape& widths, double bytes, WorkingBytes workingBytes) {
  return prepare(bytes, [&](const Call& call) {
    preparedShape() = widths;
    preparedShape().attention = call.shape();
    return workingBytes(call);
  });
}

Address prepareMultiHead(std::size_t queryWidth, std::size_t keyWidth, std::size_t valueWidth, std::size_t outputWidth,
                         double bytes) {
  return prepareWidths({{}, queryWidth, keyWidth, valueWidth, outputWidth}, bytes, [](const Call& call) {
    return multiHeadWorkingBytes(preparedShape(), call.options(), call.tile());
  });
}

ReportNumbers runMultiHead(Place wq, Place wk, Place wv, Place wo, Place bq, Place bk, Place bv, Place bo,
                           Place heads) {
  const Call& call = prepared();
  return numbersOf(multiHeadAttention(preparedShape(), inputsOf<float>(call, {wq, wk, wv, wo, bq, bk, bv, bo}),
                                      call.options(), outputsOf<float>(call, heads), call.tile(), workspace()));
}

Address prepareReferenceMultiHead(std::size_t queryWidth, std::size_t keyWidth, std::size_t valueWidth,
                                  std::size_t outputWidth, double bytes) {
  return prepareWidths({{}, queryWidth, keyWidth, valueWidth, outputWidth}, bytes, [](const Call& call) {
    return reference::multiHeadWorkingBytes(preparedShape(), call.options());
  });
}

std::uint8_t runReferenceMultiHead(Place wq, Place wk, Place wv, Place wo, Place bq, Place bk, Place bv, Place bo,
                                   Place heads) {
  const Call& call = prepared();
  return static_cast<std::uint8_t>(
      reference::multiHeadAttention(preparedShape(), inputsOf<double>(call, {wq, wk, wv, wo, bq, bk, bv, bo}),
                                    call.options(), outputsOf<double>(call, heads), workspace()));
}

/// Queries and keys alone, in float64, of a call prepared for the reference.
std::uint8_t projectQueriesAndKeys(Place wq, Place wk, Place bq, Place bk, Place query, Place key) {
  const Call& call = prepared();
  return static_cast<std::uint8_t>(
      reference::projectQueriesAndKeys(preparedShape(), inputsOf<double>(call, {wq, wk, 0, 0, bq, bk, 0, 0}),
                                       call.at<double>(query), call.at<double>(key)));
}

}  // namespace

EMSCRIPTEN_BINDINGS(multi_head) {
  emscripten::function("_prepareMultiHead", &prepareMultiHead);
  emscripten::function("_multiHead", &runMultiHead);
  emscripten::function("_prepareReferenceMultiHead", &prepareReferenceMultiHead);
  emscripten::function("_referenceMultiHead", &runReferenceMultiHead);
  emscripten::function("_projectQueriesAndKeys", &projectQueriesAndKeys);
}

}  // namespace attn::bindings
