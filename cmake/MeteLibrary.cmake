# mete_library: the only way to add code under src/.
#
#   mete_library(adapters/onnx
#     SOURCES graph_reader.h graph_reader.cc
#     TESTS graph_reader_test.cc
#     DEPS support domain ports         # folders whose headers may be included
#     EXTERNAL onnx)                    # external libraries to link
#
# The name is the folder below its include root: "measure" for
# src/verbs/measure, "adapters/onnx" for src/adapters/onnx. The layer check
# enforces DEPS: an include of "x/y.h" is allowed only if x is the folder itself
# or in DEPS. Only test files may include TEST_DEPS, and only they are linked
# with TEST_EXTERNAL. WHEN names a variable: if it is false, the folder is not
# built, but the layer check still covers it.
# NO_PRECOMPILED is for code that the precompiled headers do not fit: they are
# built without optimization in Debug, and g++ 12 then reads the headers of
# vector instructions (Eigen, stb) as if it were on.
set_property(GLOBAL PROPERTY METE_LAYERS "")

function(mete_target_name out folder)
  string(REPLACE "/" "_" flat "${folder}")
  set(${out} "mete_${flat}" PARENT_SCOPE)
endfunction()

function(mete_link target scope)
  foreach(folder IN LISTS ARGN)
    mete_target_name(dep "${folder}")
    target_link_libraries(${target} ${scope} ${dep})
  endforeach()
endfunction()

# Records "group folder: deps | test deps | files" for the layer check.
function(mete_declare_layer folder deps test_deps files)
  file(RELATIVE_PATH path "${CMAKE_SOURCE_DIR}/src"
    "${CMAKE_CURRENT_SOURCE_DIR}")
  string(REGEX REPLACE "/.*" "" group "${path}")
  set(line "${group} ${folder}: ${deps} | ${test_deps} | ${files}")
  string(REPLACE ";" " " line "${line}")
  set_property(GLOBAL APPEND PROPERTY METE_LAYERS "${line}")
endfunction()

# Compiles several files as one, because most of the time goes into parsing
# headers. Files of one folder must therefore not repeat a name in their
# anonymous namespaces.
option(METE_UNITY "Compile the files of a folder in batches" OFF)
set(METE_UNITY_EXCEPT "" CACHE STRING
  "Targets whose files are compiled one by one all the same")
function(mete_compile_in_batches target)
  set(batches ${METE_UNITY})
  if(target IN_LIST METE_UNITY_EXCEPT)
    set(batches OFF)
  endif()
  set_target_properties(${target} PROPERTIES
    UNITY_BUILD ${batches} UNITY_BUILD_BATCH_SIZE 12)
endfunction()

# mete_test_program(kill_test SOURCES kill_test.cc LINK mete_adapters_sqlite):
# adds a test executable in tests/. With MAIN it has its own main; otherwise it
# is a GoogleTest suite.
function(mete_test_program name)
  cmake_parse_arguments(ARG "MAIN" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gmock)
  if(NOT ARG_MAIN)
    target_link_libraries(${name} PRIVATE GTest::gtest_main)
  endif()
  target_link_libraries(${name} PRIVATE mete_test_checks)
  target_compile_options(${name} PRIVATE ${METE_TEST_OPTIONS})
  mete_use_precompiled(${name} mete_precompiled_test)
  mete_compile_in_batches(${name})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
endfunction()

# The programs of unit and contract tests: what `./dev test asan unit` builds.
add_custom_target(unit_tests)

# mete_test(unit/stats COMMAND mete_stats_test [TIMEOUT 300]): adds a test to
# ctest. The part before the slash is its label; the default timeout is 120 s,
# and five times as long with sanitizers.
function(mete_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "COMMAND" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  if(METE_SANITIZE)
    math(EXPR ARG_TIMEOUT "5 * ${ARG_TIMEOUT}")
  endif()
  string(REGEX REPLACE "/.*" "" label "${name}")
  add_test(NAME "${name}" COMMAND ${ARG_COMMAND})
  set_tests_properties("${name}" PROPERTIES LABELS "${label}"
    TIMEOUT ${ARG_TIMEOUT} ENVIRONMENT "${METE_TEST_ENVIRONMENT}")
  list(GET ARG_COMMAND 0 program)
  if(label MATCHES "^(unit|contract)$" AND TARGET ${program})
    add_dependencies(unit_tests ${program})
  endif()
endfunction()

function(mete_library folder)
  cmake_parse_arguments(ARG "NO_PRECOMPILED" "WHEN"
    "SOURCES;TESTS;DEPS;TEST_DEPS;EXTERNAL;TEST_EXTERNAL" ${ARGN})
  mete_declare_layer("${folder}" "${ARG_DEPS}" "${ARG_TEST_DEPS}"
    "${ARG_SOURCES};${ARG_TESTS}")
  if(ARG_WHEN AND NOT ${ARG_WHEN})
    return()
  endif()
  mete_target_name(target "${folder}")
  set(compiled ${ARG_SOURCES})
  list(FILTER compiled INCLUDE REGEX "\\.cc$")
  if(compiled)
    add_library(${target} STATIC ${ARG_SOURCES})
    target_link_libraries(${target} PUBLIC mete_options ${ARG_EXTERNAL})
    mete_link(${target} PUBLIC ${ARG_DEPS})
    if(NOT ARG_NO_PRECOMPILED)
      mete_use_precompiled(${target} mete_precompiled)
    endif()
    mete_compile_in_batches(${target})
  else()
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE mete_options ${ARG_EXTERNAL})
    mete_link(${target} INTERFACE ${ARG_DEPS})
  endif()

  if(METE_TESTS AND ARG_TESTS)
    mete_test_program(${target}_test SOURCES ${ARG_TESTS}
      LINK ${target} ${ARG_TEST_EXTERNAL})
    mete_link(${target}_test PRIVATE ${ARG_TEST_DEPS})
    mete_test(unit/${folder} COMMAND ${target}_test)
  endif()
endfunction()

# mete_program(mete FOLDER apps SOURCES mete.cc DEPS cli wiring): adds an
# executable in bin/. The layer check enforces its DEPS as for a library.
function(mete_program name)
  cmake_parse_arguments(ARG "" "FOLDER;WHEN" "SOURCES;DEPS;EXTERNAL" ${ARGN})
  mete_declare_layer("${ARG_FOLDER}" "${ARG_DEPS}" "" "${ARG_SOURCES}")
  if(ARG_WHEN AND NOT ${ARG_WHEN})
    return()
  endif()
  add_executable(${name} ${ARG_SOURCES})
  mete_compile_in_batches(${name})
  target_link_libraries(${name} PRIVATE mete_options ${ARG_EXTERNAL})
  mete_link(${name} PRIVATE ${ARG_DEPS})
  install(TARGETS ${name})
endfunction()

# Writes build/…/layers.txt, the input of the layer check.
function(mete_write_layers)
  get_property(layers GLOBAL PROPERTY METE_LAYERS)
  list(JOIN layers "\n" text)
  file(WRITE "${CMAKE_BINARY_DIR}/layers.txt" "${text}\n")
endfunction()
