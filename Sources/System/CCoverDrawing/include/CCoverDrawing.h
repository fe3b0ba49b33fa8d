// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef SEGUE_CCOVERDRAWING_H
#define SEGUE_CCOVERDRAWING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Covers for terminals: decodes JPEG with TurboJPEG and PNG with libpng, and draws them with libchafa. Each library is
/// loaded at first use, and stays loaded; if it is missing, the functions that need it return NULL. All functions can
/// be called from any thread.

/// A picture with four bytes per pixel: red, green, blue, opacity.
typedef struct CCoverPicture {
  uint8_t *pixels;
  int width;
  int height;
} CCoverPicture;

/// The limits for decoding, in pixels. The header of a larger picture is enough to reject it.
typedef struct CCoverLimits {
  int64_t jpegPixels;
  int64_t pngPixels;
  /// The minimum length of the shorter edge, to which a JPEG is scaled down by powers of two.
  int edge;
} CCoverLimits;

/// Decodes the picture in `bytes`; returns NULL if they are not a picture, or it is damaged or too large. The caller
/// must free the result with CCoverPictureFree.
CCoverPicture *CCoverPictureDecode(const uint8_t *bytes, size_t count, CCoverLimits limits);
void CCoverPictureFree(CCoverPicture *picture);

/// The graphics and colour modes of terminals, with libchafa's numbers.
enum { CCoverSymbols = 0, CCoverSixels = 1, CCoverKitty = 2, CCoverITerm2 = 3 };
enum { CCoverTrueColour = 0, CCoverIndexed256 = 1, CCoverIndexed16 = 3 };

/// The area of the terminal on which to draw, and the modes in which to draw.
typedef struct CCoverCanvas {
  int columns;
  int rows;
  /// The size of a cell in pixels.
  int cellWidth;
  int cellHeight;
  int graphics;
  int colours;
} CCoverCanvas;

/// Returns the bytes that make a terminal show `picture`, and stores their number in `*count`. The caller must free
/// them with CCoverBytesFree. Returns NULL if libchafa is missing. The rows of symbols are separated by line feeds.
char *CCoverPictureDraw(const CCoverPicture *picture, CCoverCanvas canvas, size_t *count);
void CCoverBytesFree(char *bytes);

#endif
