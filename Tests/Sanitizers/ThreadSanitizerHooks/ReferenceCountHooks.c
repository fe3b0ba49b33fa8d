// SPDX-License-Identifier: GPL-3.0-or-later

// Makes the ordering by reference counts visible to the thread sanitizer.
//
// A thread's accesses to an object before it releases it happen before another thread finds itself the only owner, and
// changes the object in place (an array, a set, a deque) or frees it. The counts are those of the Swift runtime, which
// is not instrumented: the sanitizer would report a race wherever a value is copied out of a `Mutex`, read and dropped.
// Here, a thread that leaves an object to others reports a release, and one that is the only owner an acquire.

#include <stdbool.h>
#include <stdint.h>

#include "Library.h"

typedef void (*Release)(void *object);
typedef void (*ReleaseMany)(void *object, uint32_t number);
typedef bool (*IsUnique)(const void *object);

// Libraries call some of these while they are being loaded, before any constructor of the program.
LIBRARY_FUNCTION(Release, libraryRelease, "swift_release")
LIBRARY_FUNCTION(ReleaseMany, libraryReleaseMany, "swift_release_n")
LIBRARY_FUNCTION(IsUnique, libraryIsUnique, "swift_isUniquelyReferenced_nonNull_native")

/// The reference count of `object`, whose address represents the object in the sanitizer.
static void *count(const void *object) { return (char *)object + sizeof(void *); }

/// Whether `object` is reference-counted: neither null, nor a tagged value, nor immortal.
static bool isCounted(const void *object) {
  return (intptr_t)object > 0 && __atomic_load_n((uint32_t *)count(object), __ATOMIC_RELAXED) != UINT32_MAX;
}

static void willRelease(const void *object) {
  if (!isCounted(object)) return;
  if (libraryIsUnique()(object)) {
    __tsan_acquire(count(object));
  } else {
    __tsan_release(count(object));
  }
}

/// Returns the object to which `reference` points, without its other bits, as the runtime does.
static void *plainObject(void *reference) { return (void *)((uintptr_t)reference & 0x80fffffffffffff9); }

void swift_release(void *object) {
  willRelease(object);
  libraryRelease()(object);
}

void swift_release_n(void *object, uint32_t number) {
  willRelease(object);
  libraryReleaseMany()(object, number);
}

void swift_bridgeObjectRelease(void *reference) { swift_release(plainObject(reference)); }

void swift_bridgeObjectRelease_n(void *reference, uint32_t number) {
  swift_release_n(plainObject(reference), number);
}

bool swift_isUniquelyReferenced_nonNull_native(const void *object) {
  bool isUnique = libraryIsUnique()(object);
  if (isUnique) __tsan_acquire(count(object));
  return isUnique;
}

bool swift_isUniquelyReferenced_native(const void *object) {
  return object && swift_isUniquelyReferenced_nonNull_native(object);
}
