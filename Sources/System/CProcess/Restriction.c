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

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
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

/// The filter: a program for the virtual machine of seccomp(2), which runs it before every system call.
static const struct sock_filter filter[] = {
    // Another architecture has other numbers.
    LOAD(arch),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
    ANSWER(SECCOMP_RET_KILL_PROCESS),
    LOAD(nr),
    // Reading, seeking and writing.
    ALLOW(read),
    ALLOW(pread64),
    ALLOW(readv),
    ALLOW(write),
    ALLOW(writev),
    ALLOW(lseek),
    ALLOW(fstat),
    ALLOW(ppoll),
#ifdef SYS_poll
    ALLOW(poll),
#endif
    ALLOW(close),
    // Memory.
    ALLOW_NOT_EXECUTABLE(mmap),
    ALLOW_NOT_EXECUTABLE(mprotect),
    ALLOW(munmap),
    ALLOW(mremap),
    ALLOW(madvise),
    ALLOW(brk),
    // Locks, clocks, random numbers, and the end.
    ALLOW(futex),
    ALLOW(clock_gettime),
    ALLOW(gettimeofday),
    ALLOW(getrandom),
    ALLOW(rt_sigreturn),
    ALLOW(rt_sigprocmask),
    ALLOW(restart_syscall),
    ALLOW(exit),
    ALLOW(exit_group),
    ANSWER(SECCOMP_RET_ERRNO | EPERM),
};

static enum ProcessRestriction filterCalls(void) {
  const struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = (struct sock_filter *)filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return ProcessUnfiltered;
  // On all threads, if a library should have started one.
  const long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
  return result == 0 ? ProcessRestricted : ProcessUnfiltered;
}

#else

static enum ProcessRestriction filterCalls(void) { return ProcessUnfiltered; }

#endif

enum ProcessRestriction ProcessGiveUpRights(unsigned long memoryLimit) {
  const int result = chdir("/") | limit(RLIMIT_DATA, memoryLimit) | limit(RLIMIT_CORE, 0);
  const enum ProcessRestriction restriction = filterCalls();
  return result == 0 ? restriction : ProcessUnfiltered;
}
