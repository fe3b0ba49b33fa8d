// SPDX-License-Identifier: GPL-3.0-or-later

// What a program needs to let another one do dangerous work: descriptors passed through a socket, and a process that
// gives up its rights.
#ifndef SEGUE_CPROCESS_H
#define SEGUE_CPROCESS_H

#include <stddef.h>

/// The maximum number of descriptors in one message.
enum { ProcessDescriptorLimit = 4 };

/// Creates two connected Unix domain sockets, which are closed on exec. Returns 0, or an error number.
int ProcessSocketPair(int sockets[_Nonnull 2]);

/// Creates a pipe, whose reading end is the first descriptor. Both are closed on exec. If the system permits, the pipe
/// holds `byteCount` bytes, unless that is 0. Returns 0, or an error number.
int ProcessPipe(int ends[_Nonnull 2], int byteCount);

/// Waits until `descriptor` can be read, or is at its end, for at most `milliseconds`, or without limit if that is
/// negative. Returns whether it can be read.
int ProcessCanRead(int descriptor, int milliseconds);

/// Makes writing to `descriptor` return at once if there is no room. Returns 0, or an error number.
int ProcessSetNonBlocking(int descriptor);

/// Writes the bytes of `header`, and those of `content` after them; waits for at most `milliseconds` for room each
/// time, or without limit if that is negative. Returns 0, or an error number: `ETIMEDOUT` if there was no room.
int ProcessWriteAll(int descriptor, const void *_Nonnull header, size_t headerCount, const void *_Nullable content,
                    size_t contentCount, int milliseconds);

/// Returns whether the other end of `socket` was closed.
int ProcessIsClosed(int socket);

/// Describes the connection of `socket` over TCP: sets `peer` to the IP address at the other end, with an address of
/// version 4 as `::ffff:a.b.c.d`, and `port` to the port at this end. Returns 0, or -1 if there is no such connection.
int ProcessConnection(int socket, unsigned char peer[_Nonnull 16], unsigned short *_Nonnull port);

/// Sends `count` bytes through a Unix domain socket, with open descriptors. Returns 0, or an error number.
int ProcessSend(int socket, const void *_Nonnull bytes, size_t count, const int *_Nullable descriptors,
                size_t descriptorCount);

/// Receives up to `count` bytes from a Unix domain socket, and up to `descriptorLimit` descriptors, which are closed on
/// exec. Waits for at least one byte. Returns the number of bytes, 0 at the end, or a negative error number; sets
/// `descriptorCount` to the number of descriptors, which now belong to the caller.
long ProcessReceive(int socket, void *_Nonnull bytes, size_t count, int *_Nonnull descriptors, size_t descriptorLimit,
                    size_t *_Nonnull descriptorCount);

/// Closes all descriptors of this process from `first` on. Returns 0, or an error number.
int ProcessCloseFrom(int first);

/// Makes the program that is started with `actions`, a `posix_spawn_file_actions_t`, close all descriptors from `first`
/// on. Where the C library has no such action, only those that are open now are closed. Returns 0, or an error number.
int ProcessCloseFromAtStart(void *_Nonnull actions, int first);

/// Makes this process end at once when it crashes, or when Ctrl-\ is pressed and nothing else handles that (then with
/// status 131): on a terminal, the Swift runtime would otherwise ask whether to start a debugger. Has no effect if
/// $SWIFT_BACKTRACE is set. Signals that are ignored stay ignored. Call it before any thread is started.
void ProcessEndAtOnceOnCrash(void);

/// Makes this process end as soon as the other end of `socket` is closed, whatever it does: the system then sends a
/// signal. Call it on the only thread.
void ProcessEndWithPeer(int socket);

/// What ``ProcessGiveUpRights`` has achieved.
enum ProcessRestriction {
  /// Memory is limited, and the system allows only the calls that decoding needs.
  ProcessRestricted = 0,
  /// This system has no filter of system calls or of files, or refuses it, or it refuses to limit memory.
  ProcessUnfiltered = 1,
};

/// The descriptors of a process that decodes a stream are below this number.
enum { ProcessStreamDescriptorLimit = 64 };

/// What a process may do after ``ProcessGiveUpRights``.
enum ProcessPurpose {
  /// Decode an open file.
  ProcessDecodesFile = 0,
  /// Decode what a server sends: it may also connect to servers, and read the files with which the system finds and
  /// identifies these.
  ProcessDecodesStream = 1,
};

/// Irrevocably gives up every right of this process but to read, seek and write descriptors that are open, to allocate
/// up to `memoryLimit` bytes of memory that is not executable, to end, and what `purpose` adds. Other system calls fail
/// with `EPERM`, and opening other files with `EACCES`. A process that decodes a stream has at most
/// `ProcessStreamDescriptorLimit` descriptors.
///
/// Call it on the only thread. Only Linux can do this, by seccomp and Landlock, and here on x86-64 and 64-bit ARM;
/// elsewhere, only memory and descriptors are limited.
enum ProcessRestriction ProcessGiveUpRights(unsigned long memoryLimit, enum ProcessPurpose purpose);

#endif
