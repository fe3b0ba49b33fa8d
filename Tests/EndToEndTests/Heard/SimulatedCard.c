// SPDX-License-Identifier: GPL-3.0-or-later

// A simulated sound card for PulseAudio's module-alsa-sink, as an ALSA plug-in (type "simulated").
//
// Like a card with DMA, it plays a ring buffer of two seconds, and its pointer moves in real time. What it plays is
// written to the file that the parameter "log" names.
//
// On a busy machine, PulseAudio may be late. So the card waits up to a quarter of a second for frames that it should
// have played by now; only then, it writes a frame that no sound has, and goes on. Its pointer never waits.
//
// PulseAudio needs this library preloaded as well: see the end of the file.
#define _GNU_SOURCE
#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>

enum { RATE = 44100, FRAME_BYTES = 4, RING_FRAMES = 2 * RATE, PATIENCE = RATE / 4 };

static const int16_t missing_frame[] = {INT16_MIN, INT16_MIN};

typedef struct {
  snd_pcm_ioplug_t plug;
  pthread_t player;
  pthread_mutex_t lock;
  FILE *log;
  // Under the lock:
  int is_running, is_closing;
  struct timespec start;
  // The number of frames in the log since the card was prepared.
  uint64_t played;
  snd_pcm_uframes_t boundary;
} Card;

// The time of the last pointer.
static struct timespec pointer_time;

static uint64_t position_at(const Card *card, const struct timespec *now) {
  int64_t nanoseconds = (now->tv_sec - card->start.tv_sec) * 1000000000ll + (now->tv_nsec - card->start.tv_nsec);
  return (uint64_t)nanoseconds * RATE / 1000000000u;
}

// Logs the frames that were written, up to `position`, and those that will not be written any more. Called under the
// lock.
static void play(Card *card, uint64_t position, uint64_t now) {
  const snd_pcm_channel_area_t *areas = snd_pcm_ioplug_mmap_areas(&card->plug);
  uint64_t written = card->plug.appl_ptr, limit = now < PATIENCE ? 0 : now - PATIENCE;
  while (areas && card->played < position) {
    // Frames that were overwritten are missing, too.
    int is_there = card->played < written && written <= card->played + RING_FRAMES;
    if (!is_there && card->played >= limit) break;
    const char *frame = (const char *)areas[0].addr + card->played % RING_FRAMES * FRAME_BYTES;
    fwrite(is_there ? frame : (const char *)missing_frame, FRAME_BYTES, 1, card->log);
    card->played++;
  }
}

static uint64_t play_until_now(Card *card, struct timespec *time) {
  clock_gettime(CLOCK_MONOTONIC, time);
  if (!card->is_running) return card->played;
  uint64_t now = position_at(card, time);
  play(card, now, now);
  return now;
}

// While PulseAudio replaces what it has written, the frames that are due are not final. It asks for the pointer before
// and after; in between, this thread logs only older frames.
static void *run(void *argument) {
  Card *card = argument;
  for (int is_closing = 0; !is_closing;) {
    nanosleep(&(struct timespec){0, 2000000}, NULL);
    pthread_mutex_lock(&card->lock);
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    uint64_t now = card->is_running ? position_at(card, &time) : 0;
    if (now > PATIENCE) play(card, now - PATIENCE, now);
    fflush(card->log);
    is_closing = card->is_closing;
    pthread_mutex_unlock(&card->lock);
  }
  return NULL;
}

static void set_running(Card *card, int is_running) {
  pthread_mutex_lock(&card->lock);
  struct timespec time;
  play_until_now(card, &time);
  card->is_running = is_running;
  card->start = time;
  pthread_mutex_unlock(&card->lock);
}

static int start(snd_pcm_ioplug_t *plug) {
  set_running(plug->private_data, 1);
  return 0;
}

static int stop(snd_pcm_ioplug_t *plug) {
  set_running(plug->private_data, 0);
  return 0;
}

static int prepare(snd_pcm_ioplug_t *plug) {
  Card *card = plug->private_data;
  set_running(card, 0);
  card->played = 0;
  return 0;
}

static snd_pcm_sframes_t pointer(snd_pcm_ioplug_t *plug) {
  Card *card = plug->private_data;
  pthread_mutex_lock(&card->lock);
  snd_pcm_sframes_t position = play_until_now(card, &pointer_time) % card->boundary;
  pthread_mutex_unlock(&card->lock);
  return position;
}

static int set_boundary(snd_pcm_ioplug_t *plug, snd_pcm_sw_params_t *parameters) {
  return snd_pcm_sw_params_get_boundary(parameters, &((Card *)plug->private_data)->boundary);
}

static int close_card(snd_pcm_ioplug_t *plug) {
  Card *card = plug->private_data;
  pthread_mutex_lock(&card->lock);
  card->is_closing = 1;
  pthread_mutex_unlock(&card->lock);
  pthread_join(card->player, NULL);
  fclose(card->log);
  close(plug->poll_fd);
  free(card);
  return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
    .start = start, .stop = stop, .prepare = prepare, .pointer = pointer, .sw_params = set_boundary, .close = close_card};

SND_PCM_PLUGIN_DEFINE_FUNC(simulated) {
  const char *path = NULL;
  snd_config_iterator_t entry, next;
  snd_config_for_each(entry, next, conf) {
    snd_config_t *value = snd_config_iterator_entry(entry);
    const char *key;
    if (snd_config_get_id(value, &key) == 0 && strcmp(key, "log") == 0) snd_config_get_string(value, &path);
  }
  if (!path || stream != SND_PCM_STREAM_PLAYBACK) return -ENODEV;
  Card *card = calloc(1, sizeof *card);
  if (!card) return -ENOMEM;
  card->log = fopen(path, "a");
  if (!card->log) {
    free(card);
    return -errno;
  }
  pthread_mutex_init(&card->lock, NULL);
  card->boundary = LONG_MAX;
  card->plug.version = SND_PCM_IOPLUG_VERSION;
  card->plug.name = "simulated card";
  card->plug.callback = &callbacks;
  card->plug.private_data = card;
  card->plug.mmap_rw = 1;
  // PulseAudio's timer wakes it: this never becomes readable.
  card->plug.poll_fd = eventfd(0, EFD_CLOEXEC);
  card->plug.poll_events = POLLIN;
  card->plug.flags = SND_PCM_IOPLUG_FLAG_MONOTONIC | SND_PCM_IOPLUG_FLAG_BOUNDARY_WA;
  int result = snd_pcm_ioplug_create(&card->plug, name, stream, mode);
  if (result < 0) return result;
  const unsigned accesses[] = {SND_PCM_ACCESS_MMAP_INTERLEAVED, SND_PCM_ACCESS_RW_INTERLEAVED};
  const unsigned formats[] = {SND_PCM_FORMAT_S16_LE};
  snd_pcm_ioplug_set_param_list(&card->plug, SND_PCM_IOPLUG_HW_ACCESS, 2, accesses);
  snd_pcm_ioplug_set_param_list(&card->plug, SND_PCM_IOPLUG_HW_FORMAT, 1, formats);
  snd_pcm_ioplug_set_param_minmax(&card->plug, SND_PCM_IOPLUG_HW_CHANNELS, 2, 2);
  snd_pcm_ioplug_set_param_minmax(&card->plug, SND_PCM_IOPLUG_HW_RATE, RATE, RATE);
  snd_pcm_ioplug_set_param_minmax(&card->plug, SND_PCM_IOPLUG_HW_PERIOD_BYTES, 64 * FRAME_BYTES, RATE * FRAME_BYTES);
  snd_pcm_ioplug_set_param_minmax(
      &card->plug, SND_PCM_IOPLUG_HW_BUFFER_BYTES, RING_FRAMES * FRAME_BYTES, RING_FRAMES * FRAME_BYTES);
  snd_pcm_ioplug_set_param_minmax(&card->plug, SND_PCM_IOPLUG_HW_PERIODS, 2, 1024);
  pthread_create(&card->player, NULL, run, card);
  *pcmp = card->plug.pcm;
  return 0;
}
SND_PCM_PLUGIN_SYMBOL(simulated);

// PulseAudio uses timer-based scheduling, with which it renders ahead and takes back, only for what has the number of a
// card and time stamps, and not in virtual machines.
int snd_pcm_info_get_card(const snd_pcm_info_t *info) { return 0; }
void snd_pcm_status_get_htstamp(const snd_pcm_status_t *status, snd_htimestamp_t *time) { *time = pointer_time; }
int pa_running_in_vm(void) { return 0; }
