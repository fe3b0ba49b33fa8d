// SPDX-License-Identifier: GPL-3.0-or-later

#define _GNU_SOURCE
#include "CProcess.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/syscall.h>
#endif

/// A control message with room for the descriptors, aligned as the system requires.
union ControlMessage {
  struct cmsghdr header;
  char bytes[CMSG_SPACE(ProcessDescriptorLimit * sizeof(int))];
};

#if !defined(__linux__) || !defined(SOCK_CLOEXEC)
static int closeOnExec(const int descriptors[2]) {
  for (int i = 0; i < 2; i++) {
    if (fcntl(descriptors[i], F_SETFD, FD_CLOEXEC) != 0) return errno;
  }
  return 0;
}
#endif

int ProcessSocketPair(int sockets[2]) {
#ifdef SOCK_CLOEXEC
  return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) == 0 ? 0 : errno;
#else
  return socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0 ? closeOnExec(sockets) : errno;
#endif
}

int ProcessPipe(int ends[2], int byteCount) {
#ifdef __linux__
  if (pipe2(ends, O_CLOEXEC) != 0) return errno;
  if (byteCount > 0) fcntl(ends[1], F_SETPIPE_SZ, byteCount);
  return 0;
#else
  (void)byteCount;
  return pipe(ends) == 0 ? closeOnExec(ends) : errno;
#endif
}

int ProcessCanRead(int descriptor, int milliseconds) {
  struct pollfd polled = {.fd = descriptor, .events = POLLIN};
  int count;
  do count = poll(&polled, 1, milliseconds);
  while (count < 0 && errno == EINTR);
  return count > 0;
}

int ProcessSetNonBlocking(int descriptor) {
  const int flags = fcntl(descriptor, F_GETFL);
  return flags >= 0 && fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0 ? 0 : errno;
}

/// Returns the time on the monotonic clock, in milliseconds.
static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}

int ProcessWriteAll(int descriptor, const void *header, size_t headerCount, const void *content, size_t contentCount,
                    int milliseconds) {
  struct iovec parts[] = {{(void *)header, headerCount}, {(void *)content, contentCount}};
  long long deadline = now() + milliseconds;
  while (parts[0].iov_len + parts[1].iov_len > 0) {
    // Signals interrupt the wait.
    const long long left = deadline - now();
    if (milliseconds >= 0 && left <= 0) return ETIMEDOUT;
    struct pollfd polled = {.fd = descriptor, .events = POLLOUT};
    const int ready = poll(&polled, 1, milliseconds < 0 ? -1 : (int)left);
    if (ready == 0) continue;
    const ssize_t result = ready < 0 ? -1 : writev(descriptor, parts, 2);
    if (result < 0 && errno != EINTR && errno != EAGAIN) return errno;
    if (result < 0) continue;
    size_t written = (size_t)result;
    for (int part = 0; part < 2; part++) {
      const size_t done = written < parts[part].iov_len ? written : parts[part].iov_len;
      parts[part].iov_base = (char *)parts[part].iov_base + done;
      parts[part].iov_len -= done;
      written -= done;
    }
    deadline = now() + milliseconds;
  }
  return 0;
}

int ProcessConnection(int socket, unsigned char peer[16], unsigned short *port) {
  union {
    struct sockaddr any;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
  } other, own;
  socklen_t otherLength = sizeof other, ownLength = sizeof own;
  if (getpeername(socket, &other.any, &otherLength) != 0 || getsockname(socket, &own.any, &ownLength) != 0) return -1;
  if (other.any.sa_family == AF_INET) {
    static const unsigned char prefix[12] = {[10] = 0xFF, [11] = 0xFF};
    memcpy(peer, prefix, sizeof prefix);
    memcpy(peer + sizeof prefix, &other.four.sin_addr, 4);
    *port = ntohs(own.four.sin_port);
    return 0;
  }
  if (other.any.sa_family == AF_INET6) {
    memcpy(peer, &other.six.sin6_addr, 16);
    *port = ntohs(own.six.sin6_port);
    return 0;
  }
  return -1;
}

int ProcessSend(int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptorCount) {
  if (descriptorCount > ProcessDescriptorLimit) return EINVAL;
  struct iovec content = {.iov_base = (void *)bytes, .iov_len = count};
  union ControlMessage control;
  memset(&control, 0, sizeof control);
  struct msghdr message = {.msg_iov = &content, .msg_iovlen = 1};
  if (descriptorCount > 0) {
    message.msg_control = control.bytes;
    message.msg_controllen = CMSG_SPACE(descriptorCount * sizeof(int));
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(descriptorCount * sizeof(int));
    memcpy(CMSG_DATA(header), descriptors, descriptorCount * sizeof(int));
  }
#ifdef MSG_NOSIGNAL
  const int flags = MSG_NOSIGNAL | MSG_DONTWAIT;
#else
  const int flags = MSG_DONTWAIT;
#endif
  ssize_t sent;
  do sent = sendmsg(socket, &message, flags);
  while (sent < 0 && errno == EINTR);
  if (sent < 0) return errno;
  // A request is much smaller than the buffer of a socket.
  return (size_t)sent == count ? 0 : EIO;
}

long ProcessReceive(int socket, void *bytes, size_t count, int *descriptors, size_t descriptorLimit,
                    size_t *descriptorCount) {
  *descriptorCount = 0;
  struct iovec content = {.iov_base = bytes, .iov_len = count};
  union ControlMessage control;
  struct msghdr message = {
      .msg_iov = &content, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
#ifdef MSG_CMSG_CLOEXEC
  const int flags = MSG_CMSG_CLOEXEC;
#else
  const int flags = 0;
#endif
  ssize_t received;
  do received = recvmsg(socket, &message, flags);
  while (received < 0 && errno == EINTR);
  if (received < 0) return -errno;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    const size_t length = header->cmsg_len - CMSG_LEN(0);
    for (size_t offset = 0; offset + sizeof(int) <= length; offset += sizeof(int)) {
      int descriptor;
      memcpy(&descriptor, CMSG_DATA(header) + offset, sizeof descriptor);
      if (*descriptorCount < descriptorLimit) {
        fcntl(descriptor, F_SETFD, FD_CLOEXEC);
        descriptors[(*descriptorCount)++] = descriptor;
      } else {
        close(descriptor);
      }
    }
  }
  return received;
}

int ProcessCloseFrom(int first) {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, (unsigned)first, ~0U, 0) == 0) return 0;
#endif
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return errno;
  const rlim_t end = limit.rlim_cur < 65536 ? limit.rlim_cur : 65536;
  for (rlim_t descriptor = (rlim_t)first; descriptor < end; descriptor++) close((int)descriptor);
  return 0;
}

int ProcessCloseFromAtStart(void *actions, int first) {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
#else
  DIR *directory = opendir("/dev/fd");
  if (!directory) return errno;
  int result = 0;
  for (struct dirent *entry; result == 0 && (entry = readdir(directory));) {
    const int descriptor = atoi(entry->d_name);
    if (descriptor < first || descriptor == dirfd(directory)) continue;
    result = posix_spawn_file_actions_addclose(actions, descriptor);
  }
  closedir(directory);
  return result;
#endif
}

int ProcessIsClosed(int socket) {
  struct pollfd polled = {.fd = socket, .events = 0};
  return poll(&polled, 1, 0) > 0 && (polled.revents & (POLLHUP | POLLERR | POLLNVAL));
}

/// Ends the process like a shell reports a signal, but without a core dump.
static void endWithSignal(int signal) { _exit(128 + signal); }

void ProcessEndAtOnceOnCrash(void) {
  if (getenv("SWIFT_BACKTRACE")) return;
  // Those for which the runtime has handlers.
  static const int signals[] = {SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
    struct sigaction action;
    if (sigaction(signals[i], NULL, &action) != 0 || action.sa_handler == SIG_IGN) continue;
    signal(signals[i], signals[i] == SIGQUIT ? endWithSignal : SIG_DFL);
  }
}

static int watchedSocket = -1;

/// Ends the process if the watched socket was closed. Calls only functions that a signal handler may call.
static void checkPeer(int signal) {
  (void)signal;
  const int error = errno;
  if (ProcessIsClosed(watchedSocket)) _exit(0);
  errno = error;
}

void ProcessEndWithPeer(int socket) {
  watchedSocket = socket;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = checkPeer;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGIO, &action, NULL);
  fcntl(socket, F_SETOWN, getpid());
  fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_ASYNC);
  // It may have been closed before.
  checkPeer(SIGIO);
}
