// SPDX-License-Identifier: GPL-3.0-or-later

#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static int limit(int resource, unsigned long value) {
  const struct rlimit limits = {.rlim_cur = value, .rlim_max = value};
  return setrlimit(resource, &limits);
}

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#if __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#endif
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#ifdef __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, value)
#define ALLOW(name) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1), ANSWER(SECCOMP_RET_ALLOW)

/// The third argument of `mmap` and `mprotect` is the protection. On both architectures, its low half comes first.
#define ALLOW_NOT_EXECUTABLE(name)                                                                                     \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 4), LOAD(args[2]),                                                \
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1), ANSWER(SECCOMP_RET_ERRNO | EPERM),                        \
      ANSWER(SECCOMP_RET_ALLOW)

/// The first argument of `socket` is the protocol family.
#define ALLOW_INTERNET_SOCKETS                                                                                         \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 5), LOAD(args[0]),                                                \
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET, 1, 0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET6, 0, 1),         \
      ANSWER(SECCOMP_RET_ALLOW), ANSWER(SECCOMP_RET_ERRNO | EPERM)

// The filters are programs for the virtual machine of seccomp(2), which runs them before every system call.

/// Another architecture has other numbers.
#define CHECK_ARCHITECTURE                                                                                             \
  LOAD(arch), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0), ANSWER(SECCOMP_RET_KILL_PROCESS), LOAD(nr)

#ifdef SYS_poll
#define ALLOW_POLL ALLOW(ppoll), ALLOW(poll)
#else
#define ALLOW_POLL ALLOW(ppoll)
#endif

/// Reading, seeking and writing; memory; locks, clocks, random numbers, and the end.
#define ALLOW_DECODING                                                                                                 \
  ALLOW(read), ALLOW(pread64), ALLOW(readv), ALLOW(write), ALLOW(writev), ALLOW(lseek), ALLOW(fstat), ALLOW_POLL,      \
      ALLOW(close), ALLOW_NOT_EXECUTABLE(mmap), ALLOW_NOT_EXECUTABLE(mprotect), ALLOW(munmap), ALLOW(mremap),          \
      ALLOW(madvise), ALLOW(brk), ALLOW(futex), ALLOW(clock_gettime), ALLOW(gettimeofday), ALLOW(getrandom),           \
      ALLOW(rt_sigreturn), ALLOW(rt_sigprocmask), ALLOW(restart_syscall), ALLOW(exit), ALLOW(exit_group)

/// Connections to servers, and the files that are needed for them, as far as Landlock allows these to be opened.
#define ALLOW_CONNECTING                                                                                               \
  ALLOW_INTERNET_SOCKETS, ALLOW(connect), ALLOW(sendto), ALLOW(sendmsg), ALLOW(sendmmsg), ALLOW(recvfrom),             \
      ALLOW(recvmsg), ALLOW(getsockopt), ALLOW(setsockopt), ALLOW(getsockname), ALLOW(getpeername), ALLOW(shutdown),   \
      ALLOW(fcntl), ALLOW(ioctl), ALLOW(openat), ALLOW(newfstatat), ALLOW(faccessat), ALLOW(getpid), ALLOW(uname),  \
      ALLOW(nanosleep), ALLOW(clock_nanosleep)

static const struct sock_filter decodingFilter[] = {
    CHECK_ARCHITECTURE,
    ALLOW_DECODING,
    ANSWER(SECCOMP_RET_ERRNO | EPERM),
};

static const struct sock_filter streamingFilter[] = {
    CHECK_ARCHITECTURE,
    ALLOW_DECODING,
    ALLOW_CONNECTING,
    ANSWER(SECCOMP_RET_ERRNO | EPERM),
};

static int filterCalls(const struct sock_filter *filter, size_t count) {
  const struct sock_fprog program = {.len = (unsigned short)count, .filter = (struct sock_filter *)filter};
  // On all threads, if a library should have started one.
  return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
}

#ifdef LANDLOCK_CREATE_RULESET_VERSION

/// What is needed to find servers, and to check their certificates: files, or directories of files. The targets of
/// links count. A file that is replaced can no longer be read. Of `/etc/ssl` and `/etc/pki`, which may contain private
/// keys, only the collections of the system's certificates are needed.
static const char *const readableFiles[] = {
    "/etc/resolv.conf",
    "/etc/hosts",
    "/etc/host.conf",
    "/etc/gai.conf",
    "/etc/nsswitch.conf",
    "/etc/services",
    "/etc/protocols",
    "/etc/crypto-policies",
    "/etc/gnutls",
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
};

/// Lets this process open only the files above, for reading. Returns 0, or -1 if the system refuses.
static int restrictFiles(void) {
  const long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 1) return -1;
  // The rights of the first version are the lowest 13 bits; later ones have added one each, up to the fifth.
  const int count = version == 1 ? 13 : version == 2 ? 14 : version < 5 ? 15 : 16;
  const struct landlock_ruleset_attr rules = {.handled_access_fs = (1ULL << count) - 1};
  const int ruleset =
      (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules.handled_access_fs, 0);
  if (ruleset < 0) return -1;
  for (size_t i = 0; i < sizeof readableFiles / sizeof *readableFiles; i++) {
    const int file = open(readableFiles[i], O_PATH | O_CLOEXEC);
    if (file < 0) continue;
    const struct landlock_path_beneath_attr rule = {.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE, .parent_fd = file};
    syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(file);
  }
  const long result = syscall(SYS_landlock_restrict_self, ruleset, 0);
  close(ruleset);
  return (int)result;
}

#else

static int restrictFiles(void) { return -1; }

#endif

static enum ProcessRestriction restrictCalls(enum ProcessPurpose purpose) {
  int result = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (result != 0) return ProcessUnfiltered;
  if (purpose == ProcessDecodesStream) {
    result |= restrictFiles();
    result |= filterCalls(streamingFilter, sizeof streamingFilter / sizeof *streamingFilter);
  } else {
    result |= filterCalls(decodingFilter, sizeof decodingFilter / sizeof *decodingFilter);
  }
  return result == 0 ? ProcessRestricted : ProcessUnfiltered;
}

#else

static enum ProcessRestriction restrictCalls(enum ProcessPurpose purpose) {
  (void)purpose;
  return ProcessUnfiltered;
}

#endif

enum ProcessRestriction ProcessGiveUpRights(unsigned long memoryLimit, enum ProcessPurpose purpose) {
  int result = chdir("/") | limit(RLIMIT_DATA, memoryLimit) | limit(RLIMIT_CORE, 0);
  if (purpose == ProcessDecodesStream) result |= limit(RLIMIT_NOFILE, ProcessStreamDescriptorLimit);
  const enum ProcessRestriction restriction = restrictCalls(purpose);
  return result == 0 ? restriction : ProcessUnfiltered;
}
