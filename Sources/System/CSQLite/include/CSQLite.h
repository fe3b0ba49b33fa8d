// What SQLite has and its Swift module leaves out.
#ifndef SEGUE_CSQLITE_H
#define SEGUE_CSQLITE_H

#include <stdbool.h>

/// Has SQLite not count the memory that it takes: to count, it has all threads wait for each other whenever they
/// allocate.
///
/// Before SQLite is used, on the main thread; false where it was used already.
bool SQLiteStopCountingMemory(void);

#endif
