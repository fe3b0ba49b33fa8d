// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef SEGUE_CMPG123_H
#define SEGUE_CMPG123_H

#include <mpg123.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

// Depending on the version and the system, mpg123.h renames these functions by macros and has other offset types. The
// functions here are the same everywhere.

static inline int MPGSetParameter(mpg123_handle *handle, int parameter, long value) {
  return mpg123_param(handle, parameter, value, 0);
}

static inline int MPGReplaceReader(mpg123_handle *handle, ssize_t (*read)(void *, void *, size_t),
                                   off_t (*seek)(void *, off_t, int)) {
  return mpg123_replace_reader_handle(handle, read, seek, NULL);
}

static inline int MPGOpen(mpg123_handle *handle, void *context) { return mpg123_open_handle(handle, context); }

static inline int MPGDecodeFrame(mpg123_handle *handle, int64_t *number, unsigned char **audio, size_t *count) {
  off_t frame = 0;
  int status = mpg123_decode_frame(handle, &frame, audio, count);
  *number = frame;
  return status;
}

static inline int64_t MPGLength(mpg123_handle *handle) { return mpg123_length(handle); }

static inline int64_t MPGSeek(mpg123_handle *handle, int64_t frame) {
  return mpg123_seek(handle, (off_t)frame, SEEK_SET);
}

#endif
