// SPDX-License-Identifier: GPL-3.0-or-later

/* A lower bound for rendering: reads every frame of the files as float with libsndfile, and discards them. */

#include <sndfile.h>
#include <stdio.h>

enum { FRAMES = 8192, CHANNELS = 8 };

static float samples[FRAMES * CHANNELS];

static sf_count_t read_all(const char *path) {
  SF_INFO info = {0};
  SNDFILE *file = sf_open(path, SFM_READ, &info);
  if (file == NULL || info.channels > CHANNELS) {
    fprintf(stderr, "%s: %s\n", path, sf_strerror(file));
    return 0;
  }
  sf_count_t total = 0;
  for (sf_count_t count; (count = sf_readf_float(file, samples, FRAMES)) > 0;) total += count;
  sf_close(file);
  return total;
}

int main(int count, char **paths) {
  sf_count_t total = 0;
  for (int index = 1; index < count; index++) total += read_all(paths[index]);
  printf("%lld frames\n", (long long)total);
  return total > 0 ? 0 : 1;
}
