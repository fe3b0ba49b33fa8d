// What the C library has and its Swift module leaves out. No header of the system is named here, since what a system's
// type looks like depends on the macros that this and other modules define before it.
#ifndef SEGUE_CGLIBC_H
#define SEGUE_CGLIBC_H

/// How many bytes a semaphore takes.
long semaphoreSize(void);

/// Makes a semaphore that begins at 0 of so many bytes, aligned as `malloc` does.
void beginSemaphore(void *_Nullable semaphore);

/// Ends a semaphore, for which nobody waits; its bytes are left.
void endSemaphore(void *_Nullable semaphore);

/// Counts a semaphore up, and wakes one who waits for it.
void signalSemaphore(void *_Nullable semaphore);

/// Waits until a semaphore can be counted down, and does so.
void waitForSemaphore(void *_Nullable semaphore);

/// The same until so many nanoseconds of the clock that never jumps, where the C library knows how to wait by that;
/// gives 0 where that moment came first.
int waitForSemaphoreUntil(void *_Nullable semaphore, unsigned long long nanoseconds);

/// Names the calling thread, as `top` and debuggers show it: 15 bytes at most are kept.
void nameCallingThread(const char *_Nonnull name);

/// Has threads that begin from now on share at most `count` regions of memory. Does nothing where the C library is not
/// glibc.
void shareRegions(int count);

/// Gives back what was allocated and is free again. Does nothing where the C library is not glibc.
void trimMemory(void);

#endif
