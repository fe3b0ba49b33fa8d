#ifndef SEGUE_CCOVERDRAWING_H
#define SEGUE_CCOVERDRAWING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Covers for terminals: JPEG by TurboJPEG, PNG by libpng, drawn by libchafa. Each is loaded when it is first needed,
/// and stays; where one is missing, what needs it gives NULL. From any thread.

/// A picture as pixels of four bytes: red, green, blue, opacity.
typedef struct CCoverPicture {
  uint8_t *pixels;
  int width;
  int height;
} CCoverPicture;

/// What may be decoded, in pixels: what is larger is refused by its header.
typedef struct CCoverLimits {
  int64_t jpegPixels;
  int64_t pngPixels;
  /// A JPEG is scaled down, by a power of two, as long as its shorter edge stays as long as this.
  int edge;
} CCoverLimits;

/// The picture in `bytes`, or NULL where it is none, damaged or too large. To be freed by CCoverPictureFree.
CCoverPicture *CCoverPictureDecode(const uint8_t *bytes, size_t count, CCoverLimits limits);
void CCoverPictureFree(CCoverPicture *picture);

/// How a terminal shows pictures, and in which colours; libchafa's numbers.
enum { CCoverSymbols = 0, CCoverSixels = 1, CCoverKitty = 2, CCoverITerm2 = 3 };
enum { CCoverTrueColour = 0, CCoverIndexed256 = 1, CCoverIndexed16 = 3 };

/// The cells that a picture fills.
typedef struct CCoverCanvas {
  int columns;
  int rows;
  /// Pixels of a cell.
  int cellWidth;
  int cellHeight;
  int graphics;
  int colours;
} CCoverCanvas;

/// What a terminal is sent to show `picture`, `*count` bytes to be freed by CCoverBytesFree; NULL where libchafa is
/// missing. The rows of symbols are separated by line feeds.
char *CCoverPictureDraw(const CCoverPicture *picture, CCoverCanvas canvas, size_t *count);
void CCoverBytesFree(char *bytes);

#endif
