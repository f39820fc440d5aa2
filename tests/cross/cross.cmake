# Tests of a build for another processor, run by the toolchain file's emulator: the unit tests and the independent
# vectors of what is built, with the processor's features and without them.
if(NOT SIGNET_TESTS)
  return()
endif()

set(features aes,pmull,sha2)

# Without binfmt_misc an emulated program cannot start itself, which one test case does to deny features from the start:
# it is left out, and the test with the features denied here takes its place.
set(left_out "--test-case-exclude=hash kernels: with features denied*")
set_tests_properties(unit_crypto PROPERTIES DISABLED ON)
add_test(NAME unit_crypto_emulated COMMAND unit_crypto "${left_out}")
add_test(NAME unit_crypto_portable COMMAND unit_crypto "${left_out}")
set_tests_properties(unit_base unit_tls unit_crypto_emulated unit_crypto_portable PROPERTIES TIMEOUT 600)

file(GLOB vectors_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/vectors/*.cpp)
list(FILTER vectors_sources EXCLUDE REGEX "/(llhttp|http|http_heads)\\.cpp$")
add_executable(vectors ${vectors_sources} ${CMAKE_CURRENT_LIST_DIR}/no_http.cpp)
target_link_libraries(vectors PRIVATE signet_test_tls)
target_compile_definitions(vectors PRIVATE SIGNET_EMULATED=1)  # left out with its reason: what takes many minutes
set_target_properties(vectors PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)

# Every family but http1/, whose code is not built, and those of which no file is run yet.
set(families botan chromium-pki fuzz-seeds nist rfc wycheproof)
add_test(NAME vectors COMMAND vectors ${families})
add_test(NAME vectors_portable COMMAND vectors ${families})
set_tests_properties(vectors vectors_portable PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 900)
set_tests_properties(unit_crypto_portable vectors_portable PROPERTIES ENVIRONMENT "SIGNET_CPU_DENY=${features}")
