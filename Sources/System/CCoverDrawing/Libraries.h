// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef SEGUE_COVER_LIBRARIES_H
#define SEGUE_COVER_LIBRARIES_H

#include <stddef.h>
#include <stdint.h>

// The parts of the libraries that are used, as declared in their documentation. All three have a stable ABI, so their
// headers are not needed to build.

/// TurboJPEG 2 or later.
typedef struct tjscalingfactor {
  int num;
  int denom;
} tjscalingfactor;

enum { tjRGBA = 7, tjLimitScans = 32768 };

typedef struct JPEGLibrary {
  void *(*init)(void);
  int (*header)(
      void *, const unsigned char *, unsigned long, int *width, int *height, int *sampling, int *colours);
  tjscalingfactor *(*scalingFactors)(int *count);
  int (*decompress)(
      void *, const unsigned char *, unsigned long, unsigned char *, int width, int pitch, int height,
      int format, int flags);
  int (*destroy)(void *);
} JPEGLibrary;

/// libpng 1.6's simplified interface.
typedef struct png_image {
  void *opaque;
  uint32_t version;
  uint32_t width;
  uint32_t height;
  uint32_t format;
  uint32_t flags;
  uint32_t colormap_entries;
  uint32_t warning_or_error;
  char message[64];
} png_image;

enum { pngImageVersion = 1, pngRGBA = 3 };

typedef struct PNGLibrary {
  int (*begin)(png_image *, const void *, size_t);
  int (*finish)(png_image *, const void *background, void *pixels, int32_t stride, void *map);
  void (*free)(png_image *);
} PNGLibrary;

/// libchafa 1.8 or later, and GLib's strings, which it returns.
typedef struct GString {
  char *str;
  size_t len;
  size_t allocated_len;
} GString;

enum {
  chafaRGBA8Unassociated = 4,
  chafaSpace = 1 << 0,
  chafaQuadrant = 1 << 7,
  chafaHorizontalHalf = 1 << 8,
  chafaVerticalHalf = 1 << 9
};

typedef struct ChafaLibrary {
  void *(*config_new)(void);
  void (*config_unref)(void *);
  void (*set_geometry)(void *, int, int);
  void (*set_cell_geometry)(void *, int, int);
  void (*set_canvas_mode)(void *, int);
  void (*set_pixel_mode)(void *, int);
  void (*set_symbol_map)(void *, const void *);
  void *(*symbol_map_new)(void);
  void (*symbol_map_unref)(void *);
  void (*symbol_map_add_by_tags)(void *, int);
  void *(*canvas_new)(const void *);
  void (*canvas_unref)(void *);
  void (*draw_all_pixels)(void *, int type, const uint8_t *, int width, int height, int stride);
  GString *(*print)(void *, void *terminal);
  void *(*term_db_get_default)(void);
  void *(*term_db_get_fallback_info)(void *);
  void (*term_info_unref)(void *);
  char *(*string_free)(GString *, int freesText);
} ChafaLibrary;

/// Return a library, which is loaded at first use; NULL if it is missing.
const JPEGLibrary *JPEGLibraryLoad(void);
const PNGLibrary *PNGLibraryLoad(void);
const ChafaLibrary *ChafaLibraryLoad(void);

#endif
