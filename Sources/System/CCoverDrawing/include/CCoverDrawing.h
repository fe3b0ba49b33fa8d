// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef SEGUE_CCOVERDRAWING_H
#define SEGUE_CCOVERDRAWING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Covers for terminals: decodes JPEG by TurboJPEG and PNG by libpng, and draws them by libchafa. Each library is
/// loaded at first use, and stays loaded; if it is missing, the functions that need it return NULL. From any thread.

/// A picture with four bytes per pixel: red, green, blue, opacity.
typedef struct CCoverPicture {
  uint8_t *pixels;
  int width;
  int height;
} CCoverPicture;

/// The limits of decoding, in pixels; larger pictures are refused by their header.
typedef struct CCoverLimits {
  int64_t jpegPixels;
  int64_t pngPixels;
  /// A JPEG is scaled down by a power of two, as long as its shorter edge is at least this long.
  int edge;
} CCoverLimits;

/// Decodes the picture in `bytes`; NULL if it is not a picture, is damaged or is too large. The caller must free it
/// with CCoverPictureFree.
CCoverPicture *CCoverPictureDecode(const uint8_t *bytes, size_t count, CCoverLimits limits);
void CCoverPictureFree(CCoverPicture *picture);

/// The graphics and colour modes of terminals, by libchafa's numbers.
enum { CCoverSymbols = 0, CCoverSixels = 1, CCoverKitty = 2, CCoverITerm2 = 3 };
enum { CCoverTrueColour = 0, CCoverIndexed256 = 1, CCoverIndexed16 = 3 };

/// The size of a canvas in cells.
typedef struct CCoverCanvas {
  int columns;
  int rows;
  /// The size of a cell in pixels.
  int cellWidth;
  int cellHeight;
  int graphics;
  int colours;
} CCoverCanvas;

/// Returns the bytes that make a terminal show `picture`; their number is stored in `*count`, and the caller must free
/// them with CCoverBytesFree. NULL if libchafa is missing. The rows of symbols are separated by line feeds.
char *CCoverPictureDraw(const CCoverPicture *picture, CCoverCanvas canvas, size_t *count);
void CCoverBytesFree(char *bytes);

#endif
