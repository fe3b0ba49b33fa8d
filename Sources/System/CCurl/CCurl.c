// SPDX-License-Identifier: GPL-3.0-or-later

#include "CCurl.h"

#include <CLibrary.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// libcurl's own declarations of what is used here; its interface has been stable since 7.x.
typedef struct CurlHandle CurlHandle;
typedef struct CurlList CurlList;

enum {
  optionURL = 10002,
  optionErrorBuffer = 10010,
  optionPostFields = 10015,
  optionHeaders = 10023,
  optionWriteData = 10001,
  optionHeaderData = 10029,
  optionWriteFunction = 20011,
  optionHeaderFunction = 20079,
  optionPost = 47,
  optionPostSize = 30120,
  optionNoSignal = 99,
  optionTimeout = 155,
  optionConnectTimeout = 156,
  optionProtocols = 181,
  protocolsHTTP = 1 << 0 | 1 << 1,
  infoStatus = 0x200000 + 2,
  writeError = 23,
};

static struct {
  char *(*version)(void);
  int (*global_init)(long);
  CurlHandle *(*easy_init)(void);
  int (*easy_setopt)(CurlHandle *, int, ...);
  int (*easy_perform)(CurlHandle *);
  int (*easy_getinfo)(CurlHandle *, int, ...);
  const char *(*easy_strerror)(int);
  void (*easy_cleanup)(CurlHandle *);
  CurlList *(*slist_append)(CurlList *, const char *);
  void (*slist_free_all)(CurlList *);
} library;
static bool isLoaded = false;
static pthread_once_t once = PTHREAD_ONCE_INIT;

#if defined(__APPLE__)
static const char *const names[] = {"libcurl.4.dylib"};
#else
static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};
#endif

static void load(void) {
  const LibrarySymbol symbols[] = {
      {"curl_version", (void **)&library.version},
      {"curl_global_init", (void **)&library.global_init},
      {"curl_easy_init", (void **)&library.easy_init},
      {"curl_easy_setopt", (void **)&library.easy_setopt},
      {"curl_easy_perform", (void **)&library.easy_perform},
      {"curl_easy_getinfo", (void **)&library.easy_getinfo},
      {"curl_easy_strerror", (void **)&library.easy_strerror},
      {"curl_easy_cleanup", (void **)&library.easy_cleanup},
      {"curl_slist_append", (void **)&library.slist_append},
      {"curl_slist_free_all", (void **)&library.slist_free_all},
  };
  for (size_t index = 0; index < sizeof names / sizeof names[0] && !isLoaded; index++) {
    isLoaded = LibraryLoad(names[index], symbols, sizeof symbols / sizeof symbols[0]);
  }
  // Everything except for what only Windows needs.
  if (isLoaded) isLoaded = library.global_init(3) == 0;
}

const char *CurlVersion(void) {
  pthread_once(&once, load);
  return isLoaded ? library.version() : NULL;
}

/// What the callbacks fill.
typedef struct Transfer {
  CurlAnswer *answer;
  size_t limit;
  bool isTooLarge;
} Transfer;

static size_t receiveBody(const char *bytes, size_t size, size_t count, void *context) {
  Transfer *transfer = context;
  CurlAnswer *answer = transfer->answer;
  size_t total = size * count;
  if (total > transfer->limit - answer->bodySize) {
    transfer->isTooLarge = true;
    return 0;
  }
  unsigned char *grown = realloc(answer->body, answer->bodySize + total + 1);
  if (!grown) return 0;
  memcpy(grown + answer->bodySize, bytes, total);
  answer->body = grown;
  answer->bodySize += total;
  return total;
}

static size_t receiveHeader(const char *bytes, size_t size, size_t count, void *context) {
  Transfer *transfer = context;
  // The second one is that of ListenBrainz.
  static const char *const names[] = {"retry-after:", "x-ratelimit-reset-in:"};
  size_t total = size * count, start = 0;
  for (size_t index = 0; index < sizeof names / sizeof names[0] && start == 0; index++) {
    size_t length = strlen(names[index]);
    if (total > length && strncasecmp(bytes, names[index], length) == 0) start = length;
  }
  if (start == 0) return total;
  while (start < total && (bytes[start] == ' ' || bytes[start] == '\t')) start++;
  size_t end = total;
  while (end > start && (unsigned char)bytes[end - 1] <= ' ') end--;
  size_t length = end - start;
  if (length >= sizeof transfer->answer->retryAfter) return total;
  memcpy(transfer->answer->retryAfter, bytes + start, length);
  transfer->answer->retryAfter[length] = 0;
  return total;
}

static int perform(CurlHandle *handle, const CurlRequest *request, CurlList *headers, Transfer *transfer) {
  int code = 0;
#define SET(option, value) \
  if (code == 0) code = library.easy_setopt(handle, option, value)
  SET(optionErrorBuffer, transfer->answer->error);
  SET(optionURL, request->url);
  SET(optionProtocols, (long)protocolsHTTP);
  SET(optionHeaders, headers);
  SET(optionNoSignal, 1L);
  SET(optionConnectTimeout, request->connectTimeout);
  SET(optionTimeout, request->timeout);
  SET(optionWriteFunction, receiveBody);
  SET(optionWriteData, transfer);
  SET(optionHeaderFunction, receiveHeader);
  SET(optionHeaderData, transfer);
  if (request->body) {
    SET(optionPost, 1L);
    SET(optionPostSize, (long long)request->bodySize);
    SET(optionPostFields, request->body);
  }
#undef SET
  if (code == 0) code = library.easy_perform(handle);
  if (code == 0) code = library.easy_getinfo(handle, infoStatus, &transfer->answer->status);
  return code == writeError && transfer->isTooLarge ? CurlAnswerTooLarge : code;
}

int CurlPerform(const CurlRequest *request, CurlAnswer *answer) {
  memset(answer, 0, sizeof *answer);
  pthread_once(&once, load);
  if (!isLoaded) return CurlMissing;
  CurlHandle *handle = library.easy_init();
  if (!handle) return 27;  // Out of memory.
  CurlList *headers = NULL;
  // A server that is to be asked whether it wants the body would cost a second if it does not know the question.
  CurlList *list = library.slist_append(NULL, "Expect:");
  for (size_t index = 0; list && index < request->headerCount; index++) {
    headers = list;
    list = library.slist_append(list, request->headers[index]);
  }
  int code = 27;
  if (list) {
    headers = list;
    Transfer transfer = {answer, request->answerLimit, false};
    code = perform(handle, request, headers, &transfer);
  }
  library.slist_free_all(headers);
  library.easy_cleanup(handle);
  if (code != 0 && !answer->error[0]) {
    const char *reason = code > 0 ? library.easy_strerror(code) : "";
    strncpy(answer->error, reason, sizeof answer->error - 1);
  }
  return code;
}

void CurlAnswerFree(CurlAnswer *answer) {
  free(answer->body);
  memset(answer, 0, sizeof *answer);
}
