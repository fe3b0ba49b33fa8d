// SPDX-License-Identifier: GPL-3.0-or-later

// FFmpeg's headers and those of the C library that go with them, and what Swift cannot import from them: macros that
// are not simple constants.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/log.h>
#include <libavutil/mathematics.h>
#include <libavutil/opt.h>
#include <libavutil/time.h>

static const int SegueAVErrorEnd = AVERROR_EOF;
static const int SegueAVErrorAgain = AVERROR(EAGAIN);
static const int SegueAVErrorNoMemory = AVERROR(ENOMEM);
static const int SegueAVErrorInvalid = AVERROR(EINVAL);
static const int SegueAVErrorForbidden = AVERROR(EACCES);
static const int SegueAVErrorNetworkUnreachable = AVERROR(ENETUNREACH);
static const int SegueAVErrorHostUnreachable = AVERROR(EHOSTUNREACH);
static const int SegueAVErrorInput = AVERROR(EIO);
static const int SegueAVErrorInvalidData = AVERROR_INVALIDDATA;
static const int SegueAVErrorBadRequest = AVERROR_HTTP_BAD_REQUEST;
static const int SegueAVErrorUnauthorized = AVERROR_HTTP_UNAUTHORIZED;
static const int SegueAVErrorForbiddenByServer = AVERROR_HTTP_FORBIDDEN;
static const int SegueAVErrorNotFound = AVERROR_HTTP_NOT_FOUND;
static const int SegueAVErrorOtherClientError = AVERROR_HTTP_OTHER_4XX;
static const int SegueAVErrorServerError = AVERROR_HTTP_SERVER_ERROR;
static const int SegueAVErrorProtocol = AVERROR_PROTOCOL_NOT_FOUND;
static const int64_t SegueAVNoTimestamp = AV_NOPTS_VALUE;
