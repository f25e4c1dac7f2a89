# mete_library: the only way to add code under src/.
#
#   mete_library(adapters/onnx
#     SOURCES graph_reader.h graph_reader.cc
#     TESTS graph_reader_test.cc
#     DEPS support domain ports         # folders whose headers may be included
#     EXTERNAL onnx)                    # outside libraries to link
#
# NAME is the folder below src/. DEPS is what the layer check enforces: an
# include of "x/y.h" is only allowed when x is the folder itself or in DEPS.
# TEST_DEPS may be included by test files only; TEST_EXTERNAL is linked to
# them only.
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

# Remembers "folder: deps | test deps | files" for the layer check.
function(mete_declare_layer folder deps test_deps files)
  set(line "${folder}: ${deps} | ${test_deps} | ${files}")
  string(REPLACE ";" " " line "${line}")
  set_property(GLOBAL APPEND PROPERTY METE_LAYERS "${line}")
endfunction()

function(mete_library folder)
  cmake_parse_arguments(ARG "" ""
    "SOURCES;TESTS;DEPS;TEST_DEPS;EXTERNAL;TEST_EXTERNAL" ${ARGN})
  mete_target_name(target "${folder}")
  set(compiled ${ARG_SOURCES})
  list(FILTER compiled INCLUDE REGEX "\\.cc$")
  if(compiled)
    add_library(${target} STATIC ${ARG_SOURCES})
    target_link_libraries(${target} PUBLIC mete_options ${ARG_EXTERNAL})
    mete_link(${target} PUBLIC ${ARG_DEPS})
  else()
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE mete_options ${ARG_EXTERNAL})
    mete_link(${target} INTERFACE ${ARG_DEPS})
  endif()
  mete_declare_layer("${folder}" "${ARG_DEPS}" "${ARG_TEST_DEPS}"
    "${ARG_SOURCES};${ARG_TESTS}")

  if(METE_TESTS AND ARG_TESTS)
    add_executable(${target}_test ${ARG_TESTS})
    target_link_libraries(${target}_test PRIVATE
      ${target} GTest::gmock GTest::gtest_main ${ARG_TEST_EXTERNAL})
    mete_link(${target}_test PRIVATE ${ARG_TEST_DEPS})
    # Test code is compiled more often than it is run: -O1 takes two thirds of
    # the time. What it tests keeps the flags it ships with.
    target_compile_options(${target}_test PRIVATE $<$<CONFIG:Release>:-O1>)
    set_target_properties(${target}_test PROPERTIES
      RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
    add_test(NAME unit/${folder} COMMAND ${target}_test)
    set_tests_properties(unit/${folder} PROPERTIES LABELS unit TIMEOUT 120
      ENVIRONMENT "${METE_TEST_ENVIRONMENT}")
  endif()
endfunction()

# mete_program(mete FOLDER apps SOURCES mete.cc DEPS cli wiring): an executable
# in bin/, held to its DEPS like a library.
function(mete_program name)
  cmake_parse_arguments(ARG "" "FOLDER" "SOURCES;DEPS;EXTERNAL" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE mete_options ${ARG_EXTERNAL})
  mete_link(${name} PRIVATE ${ARG_DEPS})
  mete_declare_layer("${ARG_FOLDER}" "${ARG_DEPS}" "" "${ARG_SOURCES}")
  install(TARGETS ${name})
endfunction()

# Writes build/…/layers.txt, which the layer check reads.
function(mete_write_layers)
  get_property(layers GLOBAL PROPERTY METE_LAYERS)
  list(JOIN layers "\n" text)
  file(WRITE "${CMAKE_BINARY_DIR}/layers.txt" "${text}\n")
endfunction()
