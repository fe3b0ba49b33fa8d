// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef SEGUE_CUCHARDET_H
#define SEGUE_CUCHARDET_H

#include <stdbool.h>
#include <stddef.h>

/// Detects the character set of these bytes with libuchardet, and stores its name in `name`, terminated by a NUL, in at
/// most `size` bytes. The library is loaded at first use.
///
/// Returns `false` if no character set is detected, the library is missing, or memory runs out. Can be called from any
/// thread.
bool UchardetName(const char *bytes, size_t count, char *name, size_t size);

#endif
