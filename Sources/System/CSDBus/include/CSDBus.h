// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef SEGUE_CSDBUS_H
#define SEGUE_CSDBUS_H

#include <stdbool.h>
#include <stdint.h>

/// A media player on the session bus, as defined by MPRIS 2.2: the object, its interfaces and their vtables, based on
/// libsystemd's sd-bus.
///
/// `CSDBusOpen` loads the library. If there is none, as on macOS, opening fails. All functions must be called on one
/// thread.
typedef struct CSDBus CSDBus;

/// The value of a property that is being written.
typedef struct CSDBusValue CSDBusValue;

/// The argument of a method, or the new value of a property. The name of the member determines which of the fields is
/// used.
typedef struct CSDBusArgument {
  int64_t integer;
  double number;
  bool flag;
  /// A UTF-8 string, terminated by a NUL; NULL if there is none.
  const char *text;
} CSDBusArgument;

/// The callbacks that implement the player.
typedef struct CSDBusCallbacks {
  /// Writes the value of the property `name`.
  void (*describe)(void *context, const char *name, CSDBusValue *value);
  /// Executes the method `name`, or sets the property `name`; returns an error message for the user, or NULL if it
  /// succeeded.
  const char *(*execute)(void *context, const char *name, CSDBusArgument argument);
} CSDBusCallbacks;

/// Loads the library; returns `false` if there is none, as on macOS. Can be called on any thread.
bool CSDBusLoad(void);

/// Connects to the bus at `address`, or to the session bus if `address` is NULL, and requests the bus name `name`; if
/// it is taken, requests `name` with `.instance` and the process ID appended. Blocks for a few seconds at most. Returns
/// NULL if there is no library or no bus.
CSDBus *CSDBusOpen(const char *address, const char *name, CSDBusCallbacks callbacks, void *context);

/// Waits until a message arrives, `descriptor` is readable, or `milliseconds` have passed (no limit if negative), and
/// handles the messages. Returns `false` if the bus is lost.
bool CSDBusServe(CSDBus *bus, int descriptor, int64_t milliseconds);

/// Records that the property `name` of the player has changed.
void CSDBusMarkChanged(CSDBus *bus, const char *name);

/// Sends a signal about the recorded changes, with the values that the callbacks now write.
void CSDBusSignalChanged(CSDBus *bus);

/// Sends the signal that a seek has changed the position.
void CSDBusSignalSeeked(CSDBus *bus, int64_t microseconds);

/// Sends all pending signals, closes the connection and frees everything.
void CSDBusClose(CSDBus *bus);

/// Writes the whole value of a property. A string can also be an element of a list of strings.
void CSDBusWriteText(CSDBusValue *value, const char *text);
void CSDBusWriteFlag(CSDBusValue *value, bool flag);
void CSDBusWriteNumber(CSDBusValue *value, double number);
void CSDBusWriteInteger(CSDBusValue *value, int64_t integer);

/// Writes an entry of a dictionary: a string, an object path, a number of 64 or 32 bits, or a list of strings.
void CSDBusWriteTextEntry(CSDBusValue *value, const char *key, const char *text);
void CSDBusWritePathEntry(CSDBusValue *value, const char *key, const char *path);
void CSDBusWriteIntegerEntry(CSDBusValue *value, const char *key, int64_t integer);
void CSDBusWriteShortEntry(CSDBusValue *value, const char *key, int32_t integer);
void CSDBusBeginListEntry(CSDBusValue *value, const char *key);
void CSDBusEndListEntry(CSDBusValue *value);

#endif
