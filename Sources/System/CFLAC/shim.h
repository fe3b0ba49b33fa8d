// SPDX-License-Identifier: GPL-3.0-or-later

#include <FLAC/stream_decoder.h>
