// SPDX-License-Identifier: GPL-3.0-or-later

// Code units are bytes, for UTF-8.
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
