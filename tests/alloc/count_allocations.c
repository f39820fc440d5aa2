// Counts what a process asks of malloc and its kin, for LD_PRELOAD. The counts lie in the file that
// SIGNET_ALLOCATION_COUNTS names, as two 64-bit numbers, calls that allocate and calls that free; a reader
// may look at any time.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

extern void* __libc_malloc(size_t);
extern void __libc_free(void*);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
extern void* __libc_memalign(size_t, size_t);

struct Counts {
  _Atomic uint64_t allocated;
  _Atomic uint64_t freed;
};

static struct Counts before_start;
static struct Counts* counts = &before_start;

__attribute__((constructor)) static void map_counts(void) {
  const char* path = getenv("SIGNET_ALLOCATION_COUNTS");
  int fd = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
  if (fd < 0 || ftruncate(fd, sizeof(struct Counts))) _exit(99);
  void* place = mmap(NULL, sizeof(struct Counts), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (place == MAP_FAILED) _exit(99);
  close(fd);
  counts = place;
}

static void count_allocation(void) { atomic_fetch_add_explicit(&counts->allocated, 1, memory_order_relaxed); }
static void count_free(void) { atomic_fetch_add_explicit(&counts->freed, 1, memory_order_relaxed); }

void* malloc(size_t size) {
  count_allocation();
  return __libc_malloc(size);
}

void free(void* place) {
  if (place) count_free();
  __libc_free(place);
}

void* calloc(size_t number, size_t size) {
  count_allocation();
  return __libc_calloc(number, size);
}

void* realloc(void* place, size_t size) {
  count_allocation();
  if (place) count_free();
  return __libc_realloc(place, size);
}

void* reallocarray(void* place, size_t number, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(number, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  return realloc(place, bytes);
}

void* memalign(size_t alignment, size_t size) {
  count_allocation();
  return __libc_memalign(alignment, size);
}

void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

void* valloc(size_t size) { return memalign((size_t)sysconf(_SC_PAGESIZE), size); }

int posix_memalign(void** place, size_t alignment, size_t size) {
  void* made = memalign(alignment, size);
  if (!made) return ENOMEM;
  *place = made;
  return 0;
}
