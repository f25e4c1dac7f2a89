// Small synthetic clusters for tests.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "simulate/gpu_trace.h"

namespace mete {

// Two nodes with two GPUs of type T, one with one GPU of type V, one without.
inline constexpr const char* kTestNodes =
    "sn,cpu_milli,memory_mib,gpu,model\n"
    "node-b,16000,65536,2,T\n"
    "node-a,16000,65536,2,T\n"
    "node-c,8000,32768,1,V\n"
    "node-d,64000,65536,0,\n";

inline constexpr const char* kTestPods =
    "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos\n"
    "half,4000,8192,1,500,,LS\n"
    "whole,4000,8192,1,1000,V,BE\n"
    "two,8000,8192,2,1000,T|V,BE\n"
    "cpu,2000,1024,0,0,,BE\n";

inline GpuTrace TestTrace() {
  auto trace = ParseGpuTrace({.nodes = kTestNodes, .pods = kTestPods});
  EXPECT_TRUE(trace.ok());
  return *std::move(trace);
}

}  // namespace mete
