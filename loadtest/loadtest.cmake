# Tools that measure, beside OpenSSL's libcrypto. They are built with the tests, where OpenSSL is found and no sanitizer
# is in the way; the scripts of this folder need no build of their own.
if(NOT SIGNET_TESTS OR SIGNET_SANITIZE)
  return()
endif()
find_package(OpenSSL 3.0 QUIET)
if(NOT OPENSSL_FOUND)
  message(STATUS "loadtest: no OpenSSL here, so prims is not built")
  return()
endif()

file(GLOB prims_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/prims/*.cpp)
add_executable(prims ${prims_sources})
target_link_libraries(prims PRIVATE signet_tls OpenSSL::Crypto)
set_target_properties(prims PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/loadtest)
