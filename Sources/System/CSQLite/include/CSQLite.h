// SPDX-License-Identifier: GPL-3.0-or-later

// Functions of SQLite that its Swift module lacks.
#ifndef SEGUE_CSQLITE_H
#define SEGUE_CSQLITE_H

#include <stdbool.h>

/// Switches off SQLite's memory statistics, which would make all threads wait for each other at every allocation: a
/// first scan would take 5 % more CPU time. GRDB does not offer it.
///
/// Call it before SQLite is used, on the main thread; returns false if SQLite has already been used.
bool SQLiteStopCountingMemory(void);

#endif
