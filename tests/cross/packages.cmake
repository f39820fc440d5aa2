# The two packages that the tests of base, crypto and tls use, for another processor. doctest is headers alone, linked to
# from here so that nothing else of this machine's /usr/include is found; of simdjson Debian has this machine's build
# alone, so a stand-in reads the vectors.
find_path(SIGNET_DOCTEST_INCLUDE doctest/doctest.h PATHS /usr/include NO_CMAKE_FIND_ROOT_PATH REQUIRED)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
file(CREATE_LINK ${SIGNET_DOCTEST_INCLUDE}/doctest ${CMAKE_BINARY_DIR}/packages/doctest SYMBOLIC)
add_library(doctest::doctest INTERFACE IMPORTED)
target_include_directories(doctest::doctest INTERFACE ${CMAKE_BINARY_DIR}/packages)
add_library(simdjson::simdjson INTERFACE IMPORTED)
target_include_directories(simdjson::simdjson INTERFACE ${CMAKE_CURRENT_LIST_DIR}/include)
