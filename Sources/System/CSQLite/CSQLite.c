// SPDX-License-Identifier: GPL-3.0-or-later

#include "CSQLite.h"

#include <sqlite3.h>

bool SQLiteStopCountingMemory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0) == SQLITE_OK; }
