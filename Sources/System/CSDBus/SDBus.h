// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef SEGUE_SDBUS_H
#define SEGUE_SDBUS_H

#include <stddef.h>
#include <stdint.h>

// The parts of libsystemd's sd-bus that are used, as documented in sd-bus(3), sd_bus_add_object_vtable(3) and related
// pages. The ABI has been stable since version 221, so the headers are not needed to build.

typedef struct sd_bus sd_bus;
typedef struct sd_bus_message sd_bus_message;
typedef struct sd_bus_slot sd_bus_slot;

typedef struct sd_bus_error {
  const char *name;
  const char *message;
  int _need_free;
} sd_bus_error;

typedef int (*sd_bus_message_handler_t)(sd_bus_message *, void *, sd_bus_error *);
typedef int (*sd_bus_property_get_t)(
    sd_bus *, const char *path, const char *interface, const char *property, sd_bus_message *reply, void *,
    sd_bus_error *);
typedef int (*sd_bus_property_set_t)(
    sd_bus *, const char *path, const char *interface, const char *property, sd_bus_message *value, void *,
    sd_bus_error *);

/// A row of a vtable, which describes a member of an interface.
typedef struct sd_bus_vtable {
  __extension__ uint8_t type : 8;
  __extension__ uint64_t flags : 56;
  union {
    struct {
      size_t element_size;
      uint64_t features;
      const unsigned *vtable_format_reference;
    } start;
    struct {
      size_t _reserved;
    } end;
    struct {
      const char *member;
      const char *signature;
      const char *result;
      sd_bus_message_handler_t handler;
      size_t offset;
      const char *names;
    } method;
    struct {
      const char *member;
      const char *signature;
      const char *names;
    } signal;
    struct {
      const char *member;
      const char *signature;
      sd_bus_property_get_t get;
      sd_bus_property_set_t set;
      size_t offset;
    } property;
  } x;
} sd_bus_vtable;

enum { sdStart = '<', sdEnd = '>', sdMethod = 'M', sdSignal = 'S', sdProperty = 'P', sdWritable = 'W' };

/// The flags of a row: everyone on the bus may use it; its value never changes; changes are signalled with the new
/// value.
enum { sdUnprivileged = 1 << 2, sdConst = 1 << 4, sdEmitsChange = 1 << 5 };

/// The flag of a vtable whose rows contain the names of parameters.
enum { sdParameterNames = 1 << 0 };

/// The functions of the library that are loaded.
typedef struct SDBusLibrary {
  int (*open_user)(sd_bus **);
  int (*new)(sd_bus **);
  int (*set_address)(sd_bus *, const char *);
  int (*set_bus_client)(sd_bus *, int);
  int (*start)(sd_bus *);
  int (*set_exit_on_disconnect)(sd_bus *, int);
  int (*set_method_call_timeout)(sd_bus *, uint64_t microseconds);
  int (*request_name)(sd_bus *, const char *, uint64_t flags);
  int (*add_object_vtable)(
      sd_bus *, sd_bus_slot **, const char *path, const char *interface, const sd_bus_vtable *, void *);
  int (*process)(sd_bus *, sd_bus_message **);
  int (*get_fd)(sd_bus *);
  int (*get_events)(sd_bus *);
  int (*get_timeout)(sd_bus *, uint64_t *microseconds);
  sd_bus *(*flush_close_unref)(sd_bus *);
  int (*emit_properties_changed_strv)(sd_bus *, const char *path, const char *interface, char **names);
  int (*emit_signal)(
      sd_bus *, const char *path, const char *interface, const char *member, const char *types, ...);
  int (*reply_method_return)(sd_bus_message *, const char *types, ...);
  int (*error_set_const)(sd_bus_error *, const char *name, const char *message);
  int (*message_append_basic)(sd_bus_message *, char type, const void *);
  int (*message_open_container)(sd_bus_message *, char type, const char *contents);
  int (*message_close_container)(sd_bus_message *);
  int (*message_read_basic)(sd_bus_message *, char type, void *);
  const char *(*message_get_member)(sd_bus_message *);
  const unsigned *object_vtable_format;
} SDBusLibrary;

/// Returns the library, which is loaded at first use and stays loaded; NULL if it is missing.
const SDBusLibrary *SDBusLibraryLoad(void);

#endif
