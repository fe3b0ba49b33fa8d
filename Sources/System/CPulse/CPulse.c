// SPDX-License-Identifier: GPL-3.0-or-later

#include "CPulse.h"

#include <CLibrary.h>
#include <pthread.h>
#include <stdbool.h>

static PulseLibrary library;
static bool isLoaded = false;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  const LibrarySymbol symbols[] = {
      {"pa_channel_map_init_extend", (void **)&library.channel_map_init_extend},
      {"pa_context_connect", (void **)&library.context_connect},
      {"pa_context_disconnect", (void **)&library.context_disconnect},
      {"pa_context_errno", (void **)&library.context_errno},
      {"pa_context_get_server_info", (void **)&library.context_get_server_info},
      {"pa_context_get_sink_info_by_name", (void **)&library.context_get_sink_info_by_name},
      {"pa_context_get_sink_info_list", (void **)&library.context_get_sink_info_list},
      {"pa_context_get_sink_input_info", (void **)&library.context_get_sink_input_info},
      {"pa_context_get_state", (void **)&library.context_get_state},
      {"pa_context_new_with_proplist", (void **)&library.context_new_with_proplist},
      {"pa_context_set_sink_input_volume", (void **)&library.context_set_sink_input_volume},
      {"pa_context_set_state_callback", (void **)&library.context_set_state_callback},
      {"pa_context_set_subscribe_callback", (void **)&library.context_set_subscribe_callback},
      {"pa_context_subscribe", (void **)&library.context_subscribe},
      {"pa_context_unref", (void **)&library.context_unref},
      {"pa_cvolume_max", (void **)&library.cvolume_max},
      {"pa_cvolume_scale", (void **)&library.cvolume_scale},
      {"pa_cvolume_set", (void **)&library.cvolume_set},
      {"pa_get_library_version", (void **)&library.get_library_version},
      {"pa_mainloop_dispatch", (void **)&library.mainloop_dispatch},
      {"pa_mainloop_free", (void **)&library.mainloop_free},
      {"pa_mainloop_get_api", (void **)&library.mainloop_get_api},
      {"pa_mainloop_new", (void **)&library.mainloop_new},
      {"pa_mainloop_poll", (void **)&library.mainloop_poll},
      {"pa_mainloop_prepare", (void **)&library.mainloop_prepare},
      {"pa_operation_get_state", (void **)&library.operation_get_state},
      {"pa_operation_unref", (void **)&library.operation_unref},
      {"pa_proplist_free", (void **)&library.proplist_free},
      {"pa_proplist_gets", (void **)&library.proplist_gets},
      {"pa_proplist_new", (void **)&library.proplist_new},
      {"pa_proplist_sets", (void **)&library.proplist_sets},
      {"pa_stream_connect_playback", (void **)&library.stream_connect_playback},
      {"pa_stream_cork", (void **)&library.stream_cork},
      {"pa_stream_disconnect", (void **)&library.stream_disconnect},
      {"pa_stream_flush", (void **)&library.stream_flush},
      {"pa_stream_get_device_name", (void **)&library.stream_get_device_name},
      {"pa_stream_get_index", (void **)&library.stream_get_index},
      {"pa_stream_get_sample_spec", (void **)&library.stream_get_sample_spec},
      {"pa_stream_get_state", (void **)&library.stream_get_state},
      {"pa_stream_get_timing_info", (void **)&library.stream_get_timing_info},
      {"pa_stream_is_suspended", (void **)&library.stream_is_suspended},
      {"pa_stream_new_with_proplist", (void **)&library.stream_new_with_proplist},
      {"pa_stream_proplist_update", (void **)&library.stream_proplist_update},
      {"pa_stream_set_buffer_attr", (void **)&library.stream_set_buffer_attr},
      {"pa_stream_set_event_callback", (void **)&library.stream_set_event_callback},
      {"pa_stream_set_moved_callback", (void **)&library.stream_set_moved_callback},
      {"pa_stream_set_state_callback", (void **)&library.stream_set_state_callback},
      {"pa_stream_set_suspended_callback", (void **)&library.stream_set_suspended_callback},
      {"pa_stream_unref", (void **)&library.stream_unref},
      {"pa_stream_update_timing_info", (void **)&library.stream_update_timing_info},
      {"pa_stream_write", (void **)&library.stream_write},
      {"pa_strerror", (void **)&library.strerror},
      {"pa_threaded_mainloop_free", (void **)&library.threaded_mainloop_free},
      {"pa_threaded_mainloop_get_api", (void **)&library.threaded_mainloop_get_api},
      {"pa_threaded_mainloop_lock", (void **)&library.threaded_mainloop_lock},
      {"pa_threaded_mainloop_new", (void **)&library.threaded_mainloop_new},
      {"pa_threaded_mainloop_set_name", (void **)&library.threaded_mainloop_set_name},
      {"pa_threaded_mainloop_signal", (void **)&library.threaded_mainloop_signal},
      {"pa_threaded_mainloop_start", (void **)&library.threaded_mainloop_start},
      {"pa_threaded_mainloop_stop", (void **)&library.threaded_mainloop_stop},
      {"pa_threaded_mainloop_unlock", (void **)&library.threaded_mainloop_unlock},
      {"pa_threaded_mainloop_wait", (void **)&library.threaded_mainloop_wait},
  };
#if defined(__APPLE__)
  const char *name = "libpulse.0.dylib";
#else
  const char *name = "libpulse.so.0";
#endif
  isLoaded = LibraryLoad(name, symbols, sizeof symbols / sizeof symbols[0]);
}

const PulseLibrary *PulseLibraryLoad(void) {
  pthread_once(&once, load);
  return isLoaded ? &library : NULL;
}
