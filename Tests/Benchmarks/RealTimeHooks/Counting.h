// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef COUNTING_H
#define COUNTING_H

#include "RealTimeHooks.h"

/* Counts an operation of `kind`, if the calling thread is watched. */
void realtime_note(enum realtime_kind kind);

#endif
