# Every operation of crypto/ beside libcrypto's. OpenSSL is linked to this program alone.
file(GLOB differential_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
add_executable(differential ${differential_sources})
target_link_libraries(differential PRIVATE signet_crypto OpenSSL::Crypto)
set_target_properties(differential PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)

# 24 s of one processor; sanitizers make it slow, so there a tenth of the cases.
if(SIGNET_SANITIZE)
  set(differential_cases 1000)
else()
  set(differential_cases 10000)
endif()
add_test(NAME differential COMMAND differential --cases ${differential_cases})
# HMAC and HKDF run on the first kernels of the hashes: here those are the portable ones.
foreach(part HMAC HKDF)
  add_test(NAME differential_${part}_portable COMMAND differential --cases ${differential_cases} --only ${part})
  set_tests_properties(differential_${part}_portable PROPERTIES
    ENVIRONMENT "SIGNET_CPU_DENY=aesni,pclmul,sha,avx2,bmi2,adx,vaes,vpclmul")
endforeach()
add_test(NAME differential_can_fail COMMAND differential --cases 200 --alter)
set_tests_properties(differential differential_HMAC_portable differential_HKDF_portable differential_can_fail
  PROPERTIES LABELS differential TIMEOUT 600)
