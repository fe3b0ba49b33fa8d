// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef SEGUE_CALSA_H
#define SEGUE_CALSA_H

// The part of libasound that Segue uses, declared here so that its headers need not be installed, which do not exist on
// macOS. Types, values and functions are those of its interface ALSA_0.9, which has been stable since 2004.

typedef unsigned long snd_pcm_uframes_t;
typedef long snd_pcm_sframes_t;

/// A device that is open.
typedef struct _snd_pcm snd_pcm_t;

/// The hardware parameters of a device.
typedef struct _snd_pcm_hw_params snd_pcm_hw_params_t;

/// The software parameters of a device.
typedef struct _snd_pcm_sw_params snd_pcm_sw_params_t;

/// Where the samples of a channel are in the buffer of a device.
typedef struct _snd_pcm_channel_area {
  void *_Nullable addr;
  /// The offset of the first sample, in bits.
  unsigned int first;
  /// The distance between samples, in bits.
  unsigned int step;
} snd_pcm_channel_area_t;

/// The speaker of each channel.
typedef struct snd_pcm_chmap {
  unsigned int channels;
  unsigned int pos[];
} snd_pcm_chmap_t;

/// Values of parameters.
enum {
  ALSAStreamPlayback = 0,
  ALSAModeNonblocking = 1,
  ALSAAccessMemoryInterleaved = 0,
  ALSAFormatS16LE = 2,
  ALSAFormatS32LE = 10,
  ALSAFormatS24LE3Bytes = 32,
  ALSAFormatDSDU8 = 48,
  ALSAFormatDSDU16LE = 49,
  ALSAFormatDSDU32LE = 50,
  ALSAFormatDSDU16BE = 51,
  ALSAFormatDSDU32BE = 52,
  ALSATypeHardware = 0,
  ALSATypeHooks = 1,
  ALSATypeFile = 3,
  ALSATypeNull = 4,
  ALSAStatePrepared = 2,
};

/// Speakers of a `snd_pcm_chmap_t`.
enum {
  ALSASpeakerFrontLeft = 3,
  ALSASpeakerFrontRight = 4,
  ALSASpeakerRearLeft = 5,
  ALSASpeakerRearRight = 6,
  ALSASpeakerFrontCenter = 7,
  ALSASpeakerLowFrequency = 8,
  ALSASpeakerSideLeft = 9,
  ALSASpeakerSideRight = 10,
  ALSASpeakerRearCenter = 11,
};

/// The functions of libasound that Segue uses, without their prefix. All return a negative error number if they fail.
typedef struct ALSALibrary {
  const char *_Nonnull (*_Nonnull asoundlib_version)(void);
  int (*_Nonnull card_get_index)(const char *_Nonnull name);
  const char *_Nonnull (*_Nonnull strerror)(int error);
  int (*_Nonnull avail_delay)(
      snd_pcm_t *_Nonnull pcm, snd_pcm_sframes_t *_Nonnull avail, snd_pcm_sframes_t *_Nonnull delay);
  int (*_Nonnull close)(snd_pcm_t *_Nonnull pcm);
  int (*_Nonnull drop)(snd_pcm_t *_Nonnull pcm);
  snd_pcm_chmap_t *_Nullable (*_Nonnull get_chmap)(snd_pcm_t *_Nonnull pcm);
  int (*_Nonnull hw_params)(snd_pcm_t *_Nonnull pcm, snd_pcm_hw_params_t *_Nonnull params);
  int (*_Nonnull hw_params_any)(snd_pcm_t *_Nonnull pcm, snd_pcm_hw_params_t *_Nonnull params);
  void (*_Nonnull hw_params_free)(snd_pcm_hw_params_t *_Nonnull params);
  int (*_Nonnull hw_params_get_buffer_size)(
      const snd_pcm_hw_params_t *_Nonnull params, snd_pcm_uframes_t *_Nonnull frames);
  int (*_Nonnull hw_params_get_period_size)(
      const snd_pcm_hw_params_t *_Nonnull params, snd_pcm_uframes_t *_Nonnull frames, int *_Nullable direction);
  int (*_Nonnull hw_params_is_batch)(const snd_pcm_hw_params_t *_Nonnull params);
  int (*_Nonnull hw_params_malloc)(snd_pcm_hw_params_t *_Nullable *_Nonnull params);
  int (*_Nonnull hw_params_set_access)(
      snd_pcm_t *_Nonnull pcm, snd_pcm_hw_params_t *_Nonnull params, int access);
  int (*_Nonnull hw_params_set_buffer_size_near)(
      snd_pcm_t *_Nonnull pcm, snd_pcm_hw_params_t *_Nonnull params, snd_pcm_uframes_t *_Nonnull frames);
  int (*_Nonnull hw_params_set_channels)(
      snd_pcm_t *_Nonnull pcm, snd_pcm_hw_params_t *_Nonnull params, unsigned int channels);
  int (*_Nonnull hw_params_set_format)(
      snd_pcm_t *_Nonnull pcm, snd_pcm_hw_params_t *_Nonnull params, int format);
  int (*_Nonnull hw_params_set_period_size_near)(
      snd_pcm_t *_Nonnull pcm, snd_pcm_hw_params_t *_Nonnull params, snd_pcm_uframes_t *_Nonnull frames,
      int *_Nullable direction);
  int (*_Nonnull hw_params_set_rate)(
      snd_pcm_t *_Nonnull pcm, snd_pcm_hw_params_t *_Nonnull params, unsigned int rate, int direction);
  int (*_Nonnull hw_params_set_rate_resample)(
      snd_pcm_t *_Nonnull pcm, snd_pcm_hw_params_t *_Nonnull params, unsigned int resamples);
  int (*_Nonnull mmap_begin)(
      snd_pcm_t *_Nonnull pcm, const snd_pcm_channel_area_t *_Nullable *_Nonnull areas,
      snd_pcm_uframes_t *_Nonnull offset, snd_pcm_uframes_t *_Nonnull frames);
  snd_pcm_sframes_t (*_Nonnull mmap_commit)(
      snd_pcm_t *_Nonnull pcm, snd_pcm_uframes_t offset, snd_pcm_uframes_t frames);
  int (*_Nonnull open)(
      snd_pcm_t *_Nullable *_Nonnull pcm, const char *_Nonnull name, int stream, int mode);
  int (*_Nonnull prepare)(snd_pcm_t *_Nonnull pcm);
  snd_pcm_sframes_t (*_Nonnull rewind)(snd_pcm_t *_Nonnull pcm, snd_pcm_uframes_t frames);
  snd_pcm_sframes_t (*_Nonnull rewindable)(snd_pcm_t *_Nonnull pcm);
  int (*_Nonnull start)(snd_pcm_t *_Nonnull pcm);
  int (*_Nonnull state)(snd_pcm_t *_Nonnull pcm);
  int (*_Nonnull sw_params)(snd_pcm_t *_Nonnull pcm, snd_pcm_sw_params_t *_Nonnull params);
  int (*_Nonnull sw_params_current)(snd_pcm_t *_Nonnull pcm, snd_pcm_sw_params_t *_Nonnull params);
  void (*_Nonnull sw_params_free)(snd_pcm_sw_params_t *_Nonnull params);
  int (*_Nonnull sw_params_malloc)(snd_pcm_sw_params_t *_Nullable *_Nonnull params);
  int (*_Nonnull sw_params_set_silence_size)(
      snd_pcm_t *_Nonnull pcm, snd_pcm_sw_params_t *_Nonnull params, snd_pcm_uframes_t frames);
  int (*_Nonnull sw_params_set_silence_threshold)(
      snd_pcm_t *_Nonnull pcm, snd_pcm_sw_params_t *_Nonnull params, snd_pcm_uframes_t frames);
  int (*_Nonnull type)(snd_pcm_t *_Nonnull pcm);
} ALSALibrary;

/// Returns the library, which is loaded at first use; NULL if it is missing, as on macOS. Can be called from any
/// thread.
const ALSALibrary *_Nullable ALSALibraryLoad(void);

#endif
