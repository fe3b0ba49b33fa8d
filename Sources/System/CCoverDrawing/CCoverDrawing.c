// SPDX-License-Identifier: GPL-3.0-or-later

#include "CCoverDrawing.h"

#include <stdlib.h>
#include <string.h>

#include "Libraries.h"

// MARK: Decoding

static CCoverPicture *makePicture(int width, int height) {
  CCoverPicture *picture = malloc(sizeof *picture);
  uint8_t *pixels = malloc((size_t)width * (size_t)height * 4);
  if (!picture || !pixels) {
    free(picture);
    free(pixels);
    return NULL;
  }
  *picture = (CCoverPicture){pixels, width, height};
  return picture;
}

static bool isWithin(int64_t width, int64_t height, int64_t pixels) {
  return width > 0 && height > 0 && width <= 65535 && height <= 65535 && width * height <= pixels;
}

static int scaled(int length, tjscalingfactor factor) {
  return (length * factor.num + factor.denom - 1) / factor.denom;
}

static CCoverPicture *decodeJPEG(const uint8_t *bytes, size_t count, CCoverLimits limits) {
  const JPEGLibrary *library = JPEGLibraryLoad();
  void *decoder = library ? library->init() : NULL;
  if (!decoder) return NULL;
  CCoverPicture *picture = NULL;
  int width, height, sampling, colours, factorCount = 0;
  if (library->header(decoder, bytes, count, &width, &height, &sampling, &colours) == 0 &&
      isWithin(width, height, limits.jpegPixels)) {
    tjscalingfactor best = {1, 1};
    const tjscalingfactor *factors = library->scalingFactors(&factorCount);
    for (int index = 0; factors && index < factorCount; index++) {
      const tjscalingfactor factor = factors[index];
      const int edge = scaled(width < height ? width : height, factor);
      if (factor.num == 1 && factor.denom > best.denom && edge >= limits.edge) best = factor;
    }
    picture = makePicture(scaled(width, best), scaled(height, best));
    if (picture &&
        library->decompress(
            decoder, bytes, count, picture->pixels, picture->width, 0, picture->height, tjRGBA, tjLimitScans) !=
            0) {
      CCoverPictureFree(picture);
      picture = NULL;
    }
  }
  library->destroy(decoder);
  return picture;
}

static CCoverPicture *decodePNG(const uint8_t *bytes, size_t count, CCoverLimits limits) {
  const PNGLibrary *library = PNGLibraryLoad();
  if (!library) return NULL;
  png_image image;
  memset(&image, 0, sizeof image);
  image.version = pngImageVersion;
  CCoverPicture *picture = NULL;
  if (library->begin(&image, bytes, count) && isWithin(image.width, image.height, limits.pngPixels)) {
    image.format = pngRGBA;
    picture = makePicture((int)image.width, (int)image.height);
    if (picture && !library->finish(&image, NULL, picture->pixels, 0, NULL)) {
      CCoverPictureFree(picture);
      picture = NULL;
    }
  }
  library->free(&image);
  return picture;
}

CCoverPicture *CCoverPictureDecode(const uint8_t *bytes, size_t count, CCoverLimits limits) {
  static const uint8_t jpeg[] = {0xFF, 0xD8, 0xFF};
  static const uint8_t png[] = {0x89, 'P', 'N', 'G'};
  if (count > sizeof jpeg && memcmp(bytes, jpeg, sizeof jpeg) == 0) return decodeJPEG(bytes, count, limits);
  if (count > sizeof png && memcmp(bytes, png, sizeof png) == 0) return decodePNG(bytes, count, limits);
  return NULL;
}

void CCoverPictureFree(CCoverPicture *picture) {
  if (!picture) return;
  free(picture->pixels);
  free(picture);
}

// MARK: Drawing

static char *copy(const GString *text, size_t *count) {
  char *bytes = malloc(text->len + 1);
  if (!bytes) return NULL;
  memcpy(bytes, text->str, text->len);
  bytes[text->len] = 0;
  *count = text->len;
  return bytes;
}

char *CCoverPictureDraw(const CCoverPicture *picture, CCoverCanvas canvas, size_t *count) {
  const ChafaLibrary *library = ChafaLibraryLoad();
  if (!library) return NULL;
  void *config = library->config_new();
  void *symbols = library->symbol_map_new();
  // The fonts of consoles, which have 16 colours, lack quadrants.
  const int blocks = chafaSpace | chafaVerticalHalf;
  library->symbol_map_add_by_tags(
      symbols, canvas.colours == CCoverIndexed16 ? blocks : blocks | chafaHorizontalHalf | chafaQuadrant);
  library->set_geometry(config, canvas.columns, canvas.rows);
  library->set_cell_geometry(config, canvas.cellWidth, canvas.cellHeight);
  library->set_canvas_mode(config, canvas.colours);
  library->set_pixel_mode(config, canvas.graphics);
  library->set_symbol_map(config, symbols);
  void *drawn = library->canvas_new(config);
  library->draw_all_pixels(
      drawn, chafaRGBA8Unassociated, picture->pixels, picture->width, picture->height, picture->width * 4);
  // The terminal has been queried for its features, so no terminal database is used.
  void *terminal = library->term_db_get_fallback_info(library->term_db_get_default());
  GString *text = library->print(drawn, terminal);
  char *bytes = text ? copy(text, count) : NULL;
  if (text) library->string_free(text, 1);
  library->term_info_unref(terminal);
  library->canvas_unref(drawn);
  library->symbol_map_unref(symbols);
  library->config_unref(config);
  return bytes;
}

void CCoverBytesFree(char *bytes) { free(bytes); }
