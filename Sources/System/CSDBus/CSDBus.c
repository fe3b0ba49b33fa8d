// SPDX-License-Identifier: GPL-3.0-or-later

#include "CSDBus.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "SDBus.h"

static const char *const objectPath = "/org/mpris/MediaPlayer2";
static const char *const rootInterface = "org.mpris.MediaPlayer2";
static const char *const playerInterface = "org.mpris.MediaPlayer2.Player";
/// The timeout for a reply from the bus, in microseconds.
static const uint64_t replyTimeout = 3000000;

enum { changedLimit = 16 };

struct CSDBus {
  const SDBusLibrary *library;
  sd_bus *bus;
  CSDBusCallbacks callbacks;
  void *context;
  char *changed[changedLimit + 1];
  int changedCount;
};

struct CSDBusValue {
  const SDBusLibrary *library;
  sd_bus_message *message;
  /// The first error that occurred; 0 or more if there was none.
  int error;
};

// MARK: Values

static void append(CSDBusValue *value, char type, const void *data) {
  if (value->error >= 0) value->error = value->library->message_append_basic(value->message, type, data);
}

static void beginContainer(CSDBusValue *value, char type, const char *contents) {
  if (value->error >= 0) {
    value->error = value->library->message_open_container(value->message, type, contents);
  }
}

static void endContainer(CSDBusValue *value) {
  if (value->error >= 0) value->error = value->library->message_close_container(value->message);
}

void CSDBusWriteText(CSDBusValue *value, const char *text) { append(value, 's', text); }

void CSDBusWriteFlag(CSDBusValue *value, bool flag) {
  int number = flag;
  append(value, 'b', &number);
}

void CSDBusWriteNumber(CSDBusValue *value, double number) { append(value, 'd', &number); }

void CSDBusWriteInteger(CSDBusValue *value, int64_t integer) { append(value, 'x', &integer); }

static void beginEntry(CSDBusValue *value, const char *key, const char *type) {
  beginContainer(value, 'e', "sv");
  append(value, 's', key);
  beginContainer(value, 'v', type);
}

static void endEntry(CSDBusValue *value) {
  endContainer(value);
  endContainer(value);
}

static void writeEntry(CSDBusValue *value, const char *key, const char *type, const void *data) {
  beginEntry(value, key, type);
  append(value, type[0], data);
  endEntry(value);
}

void CSDBusWriteTextEntry(CSDBusValue *value, const char *key, const char *text) {
  writeEntry(value, key, "s", text);
}

void CSDBusWritePathEntry(CSDBusValue *value, const char *key, const char *path) {
  writeEntry(value, key, "o", path);
}

void CSDBusWriteIntegerEntry(CSDBusValue *value, const char *key, int64_t integer) {
  writeEntry(value, key, "x", &integer);
}

void CSDBusWriteShortEntry(CSDBusValue *value, const char *key, int32_t integer) {
  writeEntry(value, key, "i", &integer);
}

void CSDBusBeginListEntry(CSDBusValue *value, const char *key) {
  beginEntry(value, key, "as");
  beginContainer(value, 'a', "s");
}

void CSDBusEndListEntry(CSDBusValue *value) {
  endContainer(value);
  endEntry(value);
}

// MARK: Members

static int get(
    sd_bus *bus, const char *path, const char *interface, const char *name, sd_bus_message *reply, void *owner,
    sd_bus_error *error) {
  CSDBus *self = owner;
  CSDBusValue value = {self->library, reply, 0};
  const char *contents = strcmp(name, "Metadata") == 0          ? "{sv}"
                         : strncmp(name, "Supported", 9) == 0 ? "s"
                                                              : NULL;
  if (contents) beginContainer(&value, 'a', contents);
  self->callbacks.describe(self->context, name, &value);
  if (contents) endContainer(&value);
  return value.error;
}

static int execute(CSDBus *self, const char *name, CSDBusArgument argument, sd_bus_error *error) {
  const char *refusal = self->callbacks.execute(self->context, name, argument);
  if (!refusal) return 0;
  return self->library->error_set_const(error, "org.freedesktop.DBus.Error.NotSupported", refusal);
}

static int set(
    sd_bus *bus, const char *path, const char *interface, const char *name, sd_bus_message *message, void *owner,
    sd_bus_error *error) {
  CSDBus *self = owner;
  CSDBusArgument argument = {0, 0, false, NULL};
  int result, flag = 0;
  if (strcmp(name, "LoopStatus") == 0) {
    result = self->library->message_read_basic(message, 's', &argument.text);
  } else if (strcmp(name, "Shuffle") == 0) {
    result = self->library->message_read_basic(message, 'b', &flag);
    argument.flag = flag;
  } else {
    result = self->library->message_read_basic(message, 'd', &argument.number);
  }
  return result < 0 ? result : execute(self, name, argument, error);
}

static int call(sd_bus_message *message, void *owner, sd_bus_error *error) {
  CSDBus *self = owner;
  CSDBusArgument argument = {0, 0, false, NULL};
  const SDBusLibrary *library = self->library;
  const char *name = library->message_get_member(message);
  int result = 0;
  if (strcmp(name, "SetPosition") == 0) result = library->message_read_basic(message, 'o', &argument.text);
  if (strcmp(name, "OpenUri") == 0) result = library->message_read_basic(message, 's', &argument.text);
  if (result >= 0 && (strcmp(name, "SetPosition") == 0 || strcmp(name, "Seek") == 0)) {
    result = library->message_read_basic(message, 'x', &argument.integer);
  }
  if (result >= 0) result = execute(self, name, argument, error);
  return result < 0 ? result : library->reply_method_return(message, "");
}

#define START                                                                                    \
  {.type = sdStart, .flags = 0, .x.start = {sizeof(sd_bus_vtable), sdParameterNames, NULL}}
#define END {.type = sdEnd, .flags = 0, .x.end = {0}}
#define METHOD(name, signature, names)                                                           \
  {.type = sdMethod, .flags = sdUnprivileged, .x.method = {name, signature, "", call, 0, names}}
#define SIGNAL(name, signature, names) {.type = sdSignal, .flags = 0, .x.signal = {name, signature, names}}
#define PROPERTY(name, signature, flag)                                                          \
  {.type = sdProperty, .flags = flag, .x.property = {name, signature, get, NULL, 0}}
#define WRITABLE(name, signature)                                                                \
  {                                                                                              \
    .type = sdWritable, .flags = sdEmitsChange | sdUnprivileged, .x.property = {                 \
      name, signature, get, set, 0                                                               \
    }                                                                                            \
  }

// The first rows of these tables are completed once the library is loaded.

static sd_bus_vtable rootTable[] = {
    START,
    METHOD("Raise", "", ""),
    METHOD("Quit", "", ""),
    PROPERTY("CanQuit", "b", sdConst),
    PROPERTY("CanRaise", "b", sdConst),
    PROPERTY("HasTrackList", "b", sdConst),
    PROPERTY("Identity", "s", sdConst),
    PROPERTY("DesktopEntry", "s", sdConst),
    PROPERTY("SupportedUriSchemes", "as", sdConst),
    PROPERTY("SupportedMimeTypes", "as", sdConst),
    END,
};

static sd_bus_vtable playerTable[] = {
    START,
    METHOD("Next", "", ""),
    METHOD("Previous", "", ""),
    METHOD("Pause", "", ""),
    METHOD("PlayPause", "", ""),
    METHOD("Stop", "", ""),
    METHOD("Play", "", ""),
    METHOD("Seek", "x", "Offset\0"),
    METHOD("SetPosition", "ox", "TrackId\0Position\0"),
    METHOD("OpenUri", "s", "Uri\0"),
    SIGNAL("Seeked", "x", "Position\0"),
    PROPERTY("PlaybackStatus", "s", sdEmitsChange),
    WRITABLE("LoopStatus", "s"),
    WRITABLE("Rate", "d"),
    WRITABLE("Shuffle", "b"),
    PROPERTY("Metadata", "a{sv}", sdEmitsChange),
    WRITABLE("Volume", "d"),
    PROPERTY("Position", "x", 0),
    PROPERTY("MinimumRate", "d", sdConst),
    PROPERTY("MaximumRate", "d", sdConst),
    PROPERTY("CanGoNext", "b", sdEmitsChange),
    PROPERTY("CanGoPrevious", "b", sdEmitsChange),
    PROPERTY("CanPlay", "b", sdEmitsChange),
    PROPERTY("CanPause", "b", sdEmitsChange),
    PROPERTY("CanSeek", "b", sdEmitsChange),
    PROPERTY("CanControl", "b", sdConst),
    END,
};

// MARK: The connection

bool CSDBusLoad(void) { return SDBusLibraryLoad() != NULL; }

static bool requestName(CSDBus *self, const char *name) {
  if (self->library->request_name(self->bus, name, 0) >= 0) return true;
  char instanceName[256];
  int length = snprintf(instanceName, sizeof instanceName, "%s.instance%ld", name, (long)getpid());
  return length > 0 && (size_t)length < sizeof instanceName
         && self->library->request_name(self->bus, instanceName, 0) >= 0;
}

static bool connectTo(CSDBus *self, const char *address) {
  const SDBusLibrary *library = self->library;
  if (!address) return library->open_user(&self->bus) >= 0;
  return library->new(&self->bus) >= 0 && library->set_address(self->bus, address) >= 0
         && library->set_bus_client(self->bus, 1) >= 0 && library->start(self->bus) >= 0;
}

CSDBus *CSDBusOpen(const char *address, const char *name, CSDBusCallbacks callbacks, void *context) {
  const SDBusLibrary *library = SDBusLibraryLoad();
  CSDBus *self = library ? calloc(1, sizeof *self) : NULL;
  if (!self) return NULL;
  rootTable[0].x.start.vtable_format_reference = library->object_vtable_format;
  playerTable[0].x.start.vtable_format_reference = library->object_vtable_format;
  self->library = library;
  self->callbacks = callbacks;
  self->context = context;
  if (connectTo(self, address) && library->set_exit_on_disconnect(self->bus, 0) >= 0
      && library->set_method_call_timeout(self->bus, replyTimeout) >= 0
      && library->add_object_vtable(self->bus, NULL, objectPath, rootInterface, rootTable, self) >= 0
      && library->add_object_vtable(self->bus, NULL, objectPath, playerInterface, playerTable, self) >= 0
      && requestName(self, name)) {
    return self;
  }
  CSDBusClose(self);
  return NULL;
}

/// Returns the timeout `milliseconds` (negative for no limit), shortened so that it ends no later than `deadline`, in
/// microseconds on the monotonic clock.
static int64_t shortened(int64_t milliseconds, uint64_t deadline) {
  if (deadline == UINT64_MAX) return milliseconds;
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  uint64_t now = (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
  uint64_t rest = deadline <= now ? 0 : (deadline - now + 999) / 1000;
  return milliseconds >= 0 && (uint64_t)milliseconds < rest ? milliseconds : (int64_t)rest;
}

static int pollTime(int64_t milliseconds) {
  return milliseconds < 0 ? -1 : milliseconds > 60000 ? 60000 : (int)milliseconds;
}

/// Handles a limited number of pending messages, in case there is a flood; returns a positive number if there are more.
static int process(CSDBus *self) {
  int result = 1;
  for (int count = 0; result > 0 && count < 64; count++) result = self->library->process(self->bus, NULL);
  return result;
}

bool CSDBusServe(CSDBus *self, int descriptor, int64_t milliseconds) {
  int result = process(self);
  if (result > 0) milliseconds = 0;
  int busDescriptor = self->library->get_fd(self->bus), events = self->library->get_events(self->bus);
  if (result < 0 || busDescriptor < 0 || events < 0) return false;
  uint64_t deadline = UINT64_MAX;
  if (self->library->get_timeout(self->bus, &deadline) < 0) return false;
  struct pollfd polled[] = {{busDescriptor, (short)events, 0}, {descriptor, POLLIN, 0}};
  if (poll(polled, 2, pollTime(shortened(milliseconds, deadline))) < 0 && errno != EINTR) return false;
  return process(self) >= 0;
}

void CSDBusMarkChanged(CSDBus *self, const char *name) {
  for (const sd_bus_vtable *row = playerTable; row->type != sdEnd; row++) {
    if (row->type != sdProperty && row->type != sdWritable) continue;
    if (strcmp(row->x.property.member, name) != 0 || self->changedCount == changedLimit) continue;
    self->changed[self->changedCount++] = (char *)row->x.property.member;
  }
}

void CSDBusSignalChanged(CSDBus *self) {
  self->changed[self->changedCount] = NULL;
  if (self->changedCount > 0) {
    self->library->emit_properties_changed_strv(self->bus, objectPath, playerInterface, self->changed);
  }
  self->changedCount = 0;
}

void CSDBusSignalSeeked(CSDBus *self, int64_t microseconds) {
  self->library->emit_signal(self->bus, objectPath, playerInterface, "Seeked", "x", microseconds);
}

void CSDBusClose(CSDBus *self) {
  if (self->bus) self->library->flush_close_unref(self->bus);
  free(self);
}
