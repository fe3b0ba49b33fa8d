// SPDX-License-Identifier: GPL-3.0-or-later

#include <iconv.h>
#include <stddef.h>

/* The types of a conversion and its input differ between systems; these functions are the same everywhere. */

/* Returns NULL if the system does not know one of the encodings. */
static inline void *segue_iconv_open(const char *to, const char *from) {
  iconv_t handle = iconv_open(to, from);
  return handle == (iconv_t)-1 ? NULL : (void *)handle;
}

/* Converts as iconv(3) does; returns -1 and sets errno if it stopped early. */
static inline ptrdiff_t segue_iconv(void *handle, const char **in, size_t *in_left, char **out, size_t *out_left) {
  return (ptrdiff_t)iconv((iconv_t)handle, (char **)in, in_left, out, out_left);
}

static inline void segue_iconv_close(void *handle) {
  iconv_close((iconv_t)handle);
}
