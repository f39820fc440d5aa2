# The independent vectors, on the kernels that this processor runs first and, again, on the portable ones.
file(GLOB vectors_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
add_executable(vectors ${vectors_sources})
target_link_libraries(vectors PRIVATE signet_test_tls signet_http)
set_target_properties(vectors PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
add_test(NAME vectors COMMAND vectors)
add_test(NAME vectors_portable COMMAND vectors)
set_tests_properties(vectors vectors_portable PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 900)
set_tests_properties(vectors_portable PROPERTIES
  ENVIRONMENT "SIGNET_CPU_DENY=aesni,pclmul,sha,avx2,bmi2,adx,vaes,vpclmul,avx512f,avx512bw,avx512ifma")
