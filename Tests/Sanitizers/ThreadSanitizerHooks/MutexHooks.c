// SPDX-License-Identifier: GPL-3.0-or-later

// Makes the ordering by a contended `Synchronization.Mutex` visible to the thread sanitizer.
//
// Locking and unlocking without contention is inlined into our code, which is instrumented. With contention, three
// functions of the Swift library are called, which are not: the sanitizer would miss that one thread's writes under
// the lock happen before the next one's reads, and would report false races. The functions below are linked into the
// program in place of those three; each calls the library's, which does the work, and tells the sanitizer what was
// acquired or released.

#include <stdbool.h>
#include <stdint.h>

#include "Library.h"

#define SWIFT_METHOD __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK_SLOW "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef SWIFT_METHOD void (*LockSlow)(uint32_t threadID, SELF void *word);
typedef SWIFT_METHOD bool (*TryLockSlow)(SELF void *word);
typedef SWIFT_METHOD void (*UnlockSlow)(SELF void *word);

LIBRARY_FUNCTION(LockSlow, libraryLockSlow, LOCK_SLOW)
LIBRARY_FUNCTION(TryLockSlow, libraryTryLockSlow, TRY_LOCK_SLOW)
LIBRARY_FUNCTION(UnlockSlow, libraryUnlockSlow, UNLOCK_SLOW)

SWIFT_METHOD void lockSlow(uint32_t threadID, SELF void *word) __asm__(LOCK_SLOW);
SWIFT_METHOD bool tryLockSlow(SELF void *word) __asm__(TRY_LOCK_SLOW);
SWIFT_METHOD void unlockSlow(SELF void *word) __asm__(UNLOCK_SLOW);

SWIFT_METHOD void lockSlow(uint32_t threadID, SELF void *word) {
  libraryLockSlow()(threadID, word);
  __tsan_acquire(word);
}

SWIFT_METHOD bool tryLockSlow(SELF void *word) {
  bool isLocked = libraryTryLockSlow()(word);
  if (isLocked) __tsan_acquire(word);
  return isLocked;
}

SWIFT_METHOD void unlockSlow(SELF void *word) {
  __tsan_release(word);
  libraryUnlockSlow()(word);
}
