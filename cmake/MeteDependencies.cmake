# Finds every external library. Debian 12 package names are in
# tools/dev/setup.sh.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(Boost 1.74 REQUIRED)  # headers only: Beast, Asio, Math
find_package(SQLite3 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto SSL)
find_package(simdjson REQUIRED)
# Regular expressions in linear time; Debian's package has no package file.
find_path(METE_RE2_INCLUDE re2/re2.h REQUIRED)
find_library(METE_RE2 re2 REQUIRED)
add_library(mete_re2 INTERFACE)
target_include_directories(mete_re2 SYSTEM INTERFACE "${METE_RE2_INCLUDE}")
# Only programs that use it load it.
target_link_libraries(mete_re2 INTERFACE
  "-Wl,--push-state,--as-needed,${METE_RE2},--pop-state")
# ONNX's package file refers to Protobuf's targets, so the order matters.
find_package(Protobuf REQUIRED)
find_package(ONNX CONFIG REQUIRED)
# Only headers: its functions are looked up at run time
# (learn/xgboost_library.h).
find_path(METE_XGBOOST_INCLUDE xgboost/c_api.h REQUIRED)
add_library(mete_xgboost INTERFACE)
target_include_directories(mete_xgboost SYSTEM INTERFACE
  "${METE_XGBOOST_INCLUDE}")
target_link_libraries(mete_xgboost INTERFACE ${CMAKE_DL_LIBS})
# Only headers: Clp and Cbc are loaded when a problem is solved
# (optimize/coin_library.h).
find_path(METE_COIN_INCLUDE coin/Cbc_C_Interface.h REQUIRED)
add_library(mete_coin INTERFACE)
target_include_directories(mete_coin SYSTEM INTERFACE "${METE_COIN_INCLUDE}")
target_link_libraries(mete_coin INTERFACE ${CMAKE_DL_LIBS})
find_package(Eigen3 REQUIRED NO_MODULE)
add_library(mete_eigen INTERFACE)
target_include_directories(mete_eigen SYSTEM INTERFACE
  $<TARGET_PROPERTY:Eigen3::Eigen,INTERFACE_INCLUDE_DIRECTORIES>)
# mete-torch is built if its libraries are installed. The package file of
# libtorch requires Python, so its parts are found one by one instead.
set(METE_TORCH_API torch/csrc/api/include)
find_path(METE_TORCH_INCLUDE ${METE_TORCH_API}/torch/torch.h)
find_library(METE_TORCH_CPU torch_cpu)
find_library(METE_TORCH_C10 c10)
find_path(METE_MATIO_INCLUDE matio.h)
find_library(METE_MATIO matio)
if(METE_TORCH_INCLUDE AND METE_TORCH_CPU AND METE_TORCH_C10
    AND METE_MATIO_INCLUDE AND METE_MATIO)
  set(METE_TORCH ON)
  add_library(mete_libtorch INTERFACE)
  target_include_directories(mete_libtorch SYSTEM INTERFACE
    "${METE_TORCH_INCLUDE}" "${METE_TORCH_INCLUDE}/${METE_TORCH_API}")
  target_link_libraries(mete_libtorch INTERFACE
    "${METE_TORCH_CPU}" "${METE_TORCH_C10}" ${CMAKE_DL_LIBS})
  add_library(mete_matio INTERFACE)
  target_include_directories(mete_matio SYSTEM INTERFACE
    "${METE_MATIO_INCLUDE}")
  target_link_libraries(mete_matio INTERFACE "${METE_MATIO}")
else()
  set(METE_TORCH OFF)
  message(STATUS "mete-torch is not built: it requires libtorch-dev and "
    "libmatio-dev")
endif()
# The C++ header only: the package's library is single precision.
find_path(METE_KISSFFT_INCLUDE kissfft.hh PATH_SUFFIXES kissfft REQUIRED)
add_library(mete_kissfft INTERFACE)
target_include_directories(mete_kissfft SYSTEM INTERFACE
  "${METE_KISSFFT_INCLUDE}")
find_path(METE_STB_INCLUDE stb/stb_image.h REQUIRED)
find_path(METE_CLI11_INCLUDE CLI/CLI.hpp REQUIRED)
if(METE_TESTS)
  find_package(GTest REQUIRED)
endif()

# ONNX Runtime: headers at build time, the library by dlopen at run time.
# `./dev` puts both in build/deps if the system has no package.
find_path(METE_ONNXRUNTIME_INCLUDE onnxruntime_c_api.h
  HINTS "${CMAKE_SOURCE_DIR}/build/deps/onnxruntime/include"
  PATH_SUFFIXES onnxruntime onnxruntime/core/session
  REQUIRED)
add_library(mete_onnxruntime INTERFACE)
target_include_directories(mete_onnxruntime SYSTEM INTERFACE
  "${METE_ONNXRUNTIME_INCLUDE}")

# Programs look for the library in ../lib first, so a build tree works without
# installation and can be moved. A hard link costs no space.
set(METE_ONNXRUNTIME_BROUGHT
  "${CMAKE_SOURCE_DIR}/build/deps/onnxruntime/lib/libonnxruntime.so.1")
if(EXISTS "${METE_ONNXRUNTIME_BROUGHT}")
  file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
  file(CREATE_LINK "${METE_ONNXRUNTIME_BROUGHT}"
    "${CMAKE_BINARY_DIR}/lib/libonnxruntime.so.1" COPY_ON_ERROR)
endif()

# uPlot draws the charts of reports; its files are embedded in the program.
find_path(METE_UPLOT dist/uPlot.iife.min.js
  HINTS "${CMAKE_SOURCE_DIR}/build/deps/uplot"
    /usr/share/nodejs/uplot /usr/share/javascript/uplot)
if(NOT METE_UPLOT)
  message(FATAL_ERROR "uPlot is missing; ./dev build fetches it, or set "
    "METE_UPLOT to the folder of the npm package")
endif()
