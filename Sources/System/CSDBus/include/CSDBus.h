#ifndef SEGUE_CSDBUS_H
#define SEGUE_CSDBUS_H

#include <stdbool.h>
#include <stdint.h>

/// A media player on the session bus, as MPRIS 2.2 defines it: the object, its interfaces and their vtables, on
/// libsystemd's sd-bus.
///
/// The library is loaded by `CSDBusOpen`. Where there is none, as on macOS, nothing opens. One thread calls all of
/// these.
typedef struct CSDBus CSDBus;

/// Where a value is written: that of a property, of an answer or of a signal.
typedef struct CSDBusValue CSDBusValue;

/// What a method was given, or what a property is to become; which of these it is, the member's name says.
typedef struct CSDBusArgument {
  int64_t integer;
  double number;
  bool flag;
  /// UTF-8, ended by a NUL; NULL where it was given none.
  const char *text;
  /// The path of an object beside a text; NULL where it was given none.
  const char *path;
} CSDBusArgument;

/// Who answers for the player.
typedef struct CSDBusFace {
  /// Writes the value of the property `name`.
  void (*describe)(void *context, const char *name, CSDBusValue *value);
  /// Obeys the method `name`, or the setting of the property `name`; gives why it does not, in words for people, or
  /// NULL.
  const char *(*obey)(void *context, const char *name, CSDBusArgument argument);
  /// Writes what is known of the tracks that these objects stand for, one after the other.
  void (*describeTracks)(void *context, const char *const *paths, int count, CSDBusValue *value);
} CSDBusFace;

/// Loads the library; `false` where there is none, as on macOS. On any thread.
bool CSDBusLoad(void);

/// Connects to the bus at `address`, or to the session bus where that is NULL, and takes `name` there, or, where
/// another has it, `name` with `.instance` and the process's number behind it. Blocks for some seconds at most. NULL
/// where there is no library or no bus.
CSDBus *CSDBusOpen(const char *address, const char *name, CSDBusFace face, void *context);

/// Waits until something comes, or there is something to read from `descriptor`, or so many milliseconds have passed,
/// for ever where negative; and answers what has come. `false` where the bus is gone.
bool CSDBusServe(CSDBus *bus, int descriptor, int64_t milliseconds);

/// Remembers that the property `name` of the player has changed.
void CSDBusMarkChanged(CSDBus *bus, const char *name);

/// Signals what has changed, with the values that the face describes now; of the list of tracks only that it has.
void CSDBusTellChanged(CSDBus *bus);

/// Tells all who listen that the position is another than they would think.
void CSDBusTellSeeked(CSDBus *bus, int64_t microseconds);

/// Begins a signal of the list of tracks; NULL where there is no memory. `CSDBusSendSignal` has to follow when its
/// values are written.
CSDBusValue *CSDBusBeginSignal(CSDBus *bus, const char *name);
void CSDBusSendSignal(CSDBus *bus, CSDBusValue *value);

/// Leaves the bus, and frees what there is; what was told is sent before.
void CSDBusClose(CSDBus *bus);

/// Writes the whole value of a property, or one more text of a list of texts.
void CSDBusWriteText(CSDBusValue *value, const char *text);
void CSDBusWriteFlag(CSDBusValue *value, bool flag);
void CSDBusWriteNumber(CSDBusValue *value, double number);
void CSDBusWriteInteger(CSDBusValue *value, int64_t integer);

/// Writes the path of an object; one of a list of such paths between the others.
void CSDBusWritePath(CSDBusValue *value, const char *path);
void CSDBusBeginPaths(CSDBusValue *value);
void CSDBusEndPaths(CSDBusValue *value);

/// Writes what is known of a track: entries come between them.
void CSDBusBeginTrack(CSDBusValue *value);
void CSDBusEndTrack(CSDBusValue *value);

/// Writes an entry of a dictionary: a text, the path of an object, a number of 64 or 32 bits, or a list of texts.
void CSDBusWriteTextEntry(CSDBusValue *value, const char *key, const char *text);
void CSDBusWritePathEntry(CSDBusValue *value, const char *key, const char *path);
void CSDBusWriteIntegerEntry(CSDBusValue *value, const char *key, int64_t integer);
void CSDBusWriteShortEntry(CSDBusValue *value, const char *key, int32_t integer);
void CSDBusBeginListEntry(CSDBusValue *value, const char *key);
void CSDBusEndListEntry(CSDBusValue *value);

#endif
