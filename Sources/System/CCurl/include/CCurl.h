// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef SEGUE_CCURL_H
#define SEGUE_CCURL_H

#include <stdbool.h>
#include <stddef.h>

/// A request to a server. All text ends with a zero byte, and is read only during the call.
typedef struct CurlRequest {
  const char *url;
  /// The lines of the header, without line breaks.
  const char *const *headers;
  size_t headerCount;
  /// The contents of a POST; NULL for a GET.
  const void *body;
  size_t bodySize;
  /// The maximum time until a connection exists, and until the answer is complete, in milliseconds.
  long connectTimeout;
  long timeout;
  /// The maximum size of an answer; a longer one is an error.
  size_t answerLimit;
} CurlRequest;

/// The answer of a server. `CurlAnswerFree` frees its contents.
typedef struct CurlAnswer {
  /// The status, such as 200.
  long status;
  /// The value of the header `Retry-After` or `X-RateLimit-Reset-In`; empty if there is none.
  char retryAfter[64];
  unsigned char *body;
  size_t bodySize;
  /// What went wrong, in words of libcurl.
  char error[256];
} CurlAnswer;

/// The results of `CurlPerform` that are not just failures: codes of libcurl, and codes of this shim below 0.
enum {
  CurlOK = 0,
  CurlUnsupportedProtocol = 1,
  CurlInvalidURL = 3,
  CurlNoHost = 6,
  CurlNoConnection = 7,
  CurlTimeout = 28,
  CurlTLSConnectError = 35,
  CurlCertificateRefused = 60,
  CurlMissing = -1,
  CurlAnswerTooLarge = -2,
};

/// Returns the version of libcurl, which is loaded at first use; NULL if it is missing. Can be called from any thread.
const char *CurlVersion(void);

/// Sends a request and waits for the answer. Certificates are verified, redirections are not followed, and only HTTP
/// and HTTPS are spoken. Can be called from any thread; loads libcurl at first use.
///
/// Returns `CurlOK` if there is an answer, whatever its status; otherwise `answer->error` describes the problem.
int CurlPerform(const CurlRequest *request, CurlAnswer *answer);

void CurlAnswerFree(CurlAnswer *answer);

#endif
