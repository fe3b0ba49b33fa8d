// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef SEGUE_CPULSE_H
#define SEGUE_CPULSE_H

#include <pulse/pulseaudio.h>

/// The functions of libpulse that Segue uses, without their prefix.
typedef struct PulseLibrary {
  __typeof__(pa_channel_map_init_extend) *_Nonnull channel_map_init_extend;
  __typeof__(pa_context_connect) *_Nonnull context_connect;
  __typeof__(pa_context_disconnect) *_Nonnull context_disconnect;
  __typeof__(pa_context_errno) *_Nonnull context_errno;
  __typeof__(pa_context_get_server_info) *_Nonnull context_get_server_info;
  __typeof__(pa_context_get_sink_info_by_name) *_Nonnull context_get_sink_info_by_name;
  __typeof__(pa_context_get_sink_info_list) *_Nonnull context_get_sink_info_list;
  __typeof__(pa_context_get_sink_input_info) *_Nonnull context_get_sink_input_info;
  __typeof__(pa_context_get_state) *_Nonnull context_get_state;
  __typeof__(pa_context_new_with_proplist) *_Nonnull context_new_with_proplist;
  __typeof__(pa_context_set_sink_input_volume) *_Nonnull context_set_sink_input_volume;
  __typeof__(pa_context_set_state_callback) *_Nonnull context_set_state_callback;
  __typeof__(pa_context_set_subscribe_callback) *_Nonnull context_set_subscribe_callback;
  __typeof__(pa_context_subscribe) *_Nonnull context_subscribe;
  __typeof__(pa_context_unref) *_Nonnull context_unref;
  __typeof__(pa_cvolume_max) *_Nonnull cvolume_max;
  __typeof__(pa_cvolume_scale) *_Nonnull cvolume_scale;
  __typeof__(pa_cvolume_set) *_Nonnull cvolume_set;
  __typeof__(pa_get_library_version) *_Nonnull get_library_version;
  __typeof__(pa_mainloop_dispatch) *_Nonnull mainloop_dispatch;
  __typeof__(pa_mainloop_free) *_Nonnull mainloop_free;
  __typeof__(pa_mainloop_get_api) *_Nonnull mainloop_get_api;
  __typeof__(pa_mainloop_new) *_Nonnull mainloop_new;
  __typeof__(pa_mainloop_poll) *_Nonnull mainloop_poll;
  __typeof__(pa_mainloop_prepare) *_Nonnull mainloop_prepare;
  __typeof__(pa_operation_get_state) *_Nonnull operation_get_state;
  __typeof__(pa_operation_unref) *_Nonnull operation_unref;
  __typeof__(pa_proplist_free) *_Nonnull proplist_free;
  __typeof__(pa_proplist_gets) *_Nonnull proplist_gets;
  __typeof__(pa_proplist_new) *_Nonnull proplist_new;
  __typeof__(pa_proplist_sets) *_Nonnull proplist_sets;
  __typeof__(pa_stream_connect_playback) *_Nonnull stream_connect_playback;
  __typeof__(pa_stream_cork) *_Nonnull stream_cork;
  __typeof__(pa_stream_disconnect) *_Nonnull stream_disconnect;
  __typeof__(pa_stream_flush) *_Nonnull stream_flush;
  __typeof__(pa_stream_get_device_name) *_Nonnull stream_get_device_name;
  __typeof__(pa_stream_get_index) *_Nonnull stream_get_index;
  __typeof__(pa_stream_get_sample_spec) *_Nonnull stream_get_sample_spec;
  __typeof__(pa_stream_get_state) *_Nonnull stream_get_state;
  __typeof__(pa_stream_get_timing_info) *_Nonnull stream_get_timing_info;
  __typeof__(pa_stream_is_suspended) *_Nonnull stream_is_suspended;
  __typeof__(pa_stream_new_with_proplist) *_Nonnull stream_new_with_proplist;
  __typeof__(pa_stream_proplist_update) *_Nonnull stream_proplist_update;
  __typeof__(pa_stream_set_buffer_attr) *_Nonnull stream_set_buffer_attr;
  __typeof__(pa_stream_set_event_callback) *_Nonnull stream_set_event_callback;
  __typeof__(pa_stream_set_moved_callback) *_Nonnull stream_set_moved_callback;
  __typeof__(pa_stream_set_state_callback) *_Nonnull stream_set_state_callback;
  __typeof__(pa_stream_set_suspended_callback) *_Nonnull stream_set_suspended_callback;
  __typeof__(pa_stream_unref) *_Nonnull stream_unref;
  __typeof__(pa_stream_update_timing_info) *_Nonnull stream_update_timing_info;
  __typeof__(pa_stream_write) *_Nonnull stream_write;
  __typeof__(pa_strerror) *_Nonnull strerror;
  __typeof__(pa_threaded_mainloop_free) *_Nonnull threaded_mainloop_free;
  __typeof__(pa_threaded_mainloop_get_api) *_Nonnull threaded_mainloop_get_api;
  __typeof__(pa_threaded_mainloop_lock) *_Nonnull threaded_mainloop_lock;
  __typeof__(pa_threaded_mainloop_new) *_Nonnull threaded_mainloop_new;
  __typeof__(pa_threaded_mainloop_set_name) *_Nonnull threaded_mainloop_set_name;
  __typeof__(pa_threaded_mainloop_signal) *_Nonnull threaded_mainloop_signal;
  __typeof__(pa_threaded_mainloop_start) *_Nonnull threaded_mainloop_start;
  __typeof__(pa_threaded_mainloop_stop) *_Nonnull threaded_mainloop_stop;
  __typeof__(pa_threaded_mainloop_unlock) *_Nonnull threaded_mainloop_unlock;
  __typeof__(pa_threaded_mainloop_wait) *_Nonnull threaded_mainloop_wait;
} PulseLibrary;

/// Returns the library, which is loaded at first use; NULL if it is missing. Can be called from any thread.
const PulseLibrary *_Nullable PulseLibraryLoad(void);

#endif
