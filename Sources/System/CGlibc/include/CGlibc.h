// SPDX-License-Identifier: GPL-3.0-or-later

// Functions of the C library that its Swift module lacks. This header includes no system header, since the layout of a
// system type depends on the macros that this and other modules define before it.
#ifndef SEGUE_CGLIBC_H
#define SEGUE_CGLIBC_H

/// The size of a semaphore, in bytes.
long semaphoreSize(void);

/// Initialises a semaphore with count 0 in `semaphoreSize()` bytes, aligned as `malloc` does.
void beginSemaphore(void *_Nullable semaphore);

/// Destroys a semaphore on which no thread waits; does not free its bytes.
void endSemaphore(void *_Nullable semaphore);

/// Increments the count of a semaphore, and wakes a waiting thread.
void signalSemaphore(void *_Nullable semaphore);

/// Waits until the count of a semaphore can be decremented, and decrements it.
void waitForSemaphore(void *_Nullable semaphore);

/// Waits until the count of a semaphore can be decremented, and decrements it. The wait ends at the latest when the
/// monotonic clock (if the C library can wait by it) reaches `nanoseconds`; returns 0 after such a timeout.
int waitForSemaphoreUntil(void *_Nullable semaphore, unsigned long long nanoseconds);

/// Sets the name of the calling thread, as shown by `top` and debuggers; at most 15 bytes are used.
void nameCallingThread(const char *_Nonnull name);

/// Makes threads that start from now on share at most `count` memory arenas. Does nothing except with glibc.
void shareRegions(int count);

/// Returns free memory to the system. Does nothing except with glibc.
void trimMemory(void);

#endif
