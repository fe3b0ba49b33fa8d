// SPDX-License-Identifier: GPL-3.0-or-later

#include "SDBus.h"

#if defined(__linux__)

#include <CLibrary.h>
#include <pthread.h>

static SDBusLibrary library;
static bool isLoaded = false;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  const LibrarySymbol symbols[] = {
      {"sd_bus_open_user", (void **)&library.open_user},
      {"sd_bus_new", (void **)&library.new},
      {"sd_bus_set_address", (void **)&library.set_address},
      {"sd_bus_set_bus_client", (void **)&library.set_bus_client},
      {"sd_bus_start", (void **)&library.start},
      {"sd_bus_set_exit_on_disconnect", (void **)&library.set_exit_on_disconnect},
      {"sd_bus_set_method_call_timeout", (void **)&library.set_method_call_timeout},
      {"sd_bus_request_name", (void **)&library.request_name},
      {"sd_bus_add_object_vtable", (void **)&library.add_object_vtable},
      {"sd_bus_process", (void **)&library.process},
      {"sd_bus_get_fd", (void **)&library.get_fd},
      {"sd_bus_get_events", (void **)&library.get_events},
      {"sd_bus_get_timeout", (void **)&library.get_timeout},
      {"sd_bus_flush_close_unref", (void **)&library.flush_close_unref},
      {"sd_bus_emit_properties_changed_strv", (void **)&library.emit_properties_changed_strv},
      {"sd_bus_emit_signal", (void **)&library.emit_signal},
      {"sd_bus_reply_method_return", (void **)&library.reply_method_return},
      {"sd_bus_error_set_const", (void **)&library.error_set_const},
      {"sd_bus_message_append_basic", (void **)&library.message_append_basic},
      {"sd_bus_message_open_container", (void **)&library.message_open_container},
      {"sd_bus_message_close_container", (void **)&library.message_close_container},
      {"sd_bus_message_read_basic", (void **)&library.message_read_basic},
      {"sd_bus_message_get_member", (void **)&library.message_get_member},
      {"sd_bus_object_vtable_format", (void **)&library.object_vtable_format},
  };
  // Versions before 245 lack some of these symbols.
  isLoaded = LibraryLoad("libsystemd.so.0", symbols, sizeof symbols / sizeof symbols[0]);
}

const SDBusLibrary *SDBusLibraryLoad(void) {
  pthread_once(&once, load);
  return isLoaded ? &library : NULL;
}

#else

const SDBusLibrary *SDBusLibraryLoad(void) { return NULL; }

#endif
