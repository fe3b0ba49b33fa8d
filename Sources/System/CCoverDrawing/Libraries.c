// SPDX-License-Identifier: GPL-3.0-or-later

#include "Libraries.h"

#include <CLibrary.h>
#include <pthread.h>

#if defined(__APPLE__)
#define LIBRARY(name, version) "lib" name "." version ".dylib"
#else
#define LIBRARY(name, version) "lib" name ".so." version
#endif

#define LOAD(name, symbols) LibraryLoad(name, symbols, sizeof symbols / sizeof symbols[0])

static JPEGLibrary jpeg;
static PNGLibrary png;
static ChafaLibrary chafa;
static bool hasJPEG, hasPNG, hasChafa;

static void loadJPEG(void) {
  const LibrarySymbol symbols[] = {
      {"tjInitDecompress", (void **)&jpeg.init},
      {"tjDecompressHeader3", (void **)&jpeg.header},
      {"tjGetScalingFactors", (void **)&jpeg.scalingFactors},
      {"tjDecompress2", (void **)&jpeg.decompress},
      {"tjDestroy", (void **)&jpeg.destroy},
  };
  hasJPEG = LOAD(LIBRARY("turbojpeg", "0"), symbols);
}

static void loadPNG(void) {
  const LibrarySymbol symbols[] = {
      {"png_image_begin_read_from_memory", (void **)&png.begin},
      {"png_image_finish_read", (void **)&png.finish},
      {"png_image_free", (void **)&png.free},
  };
  hasPNG = LOAD(LIBRARY("png16", "16"), symbols);
}

static void loadChafa(void) {
  const LibrarySymbol symbols[] = {
      {"chafa_canvas_config_new", (void **)&chafa.config_new},
      {"chafa_canvas_config_unref", (void **)&chafa.config_unref},
      {"chafa_canvas_config_set_geometry", (void **)&chafa.set_geometry},
      {"chafa_canvas_config_set_cell_geometry", (void **)&chafa.set_cell_geometry},
      {"chafa_canvas_config_set_canvas_mode", (void **)&chafa.set_canvas_mode},
      {"chafa_canvas_config_set_pixel_mode", (void **)&chafa.set_pixel_mode},
      {"chafa_canvas_config_set_symbol_map", (void **)&chafa.set_symbol_map},
      {"chafa_symbol_map_new", (void **)&chafa.symbol_map_new},
      {"chafa_symbol_map_unref", (void **)&chafa.symbol_map_unref},
      {"chafa_symbol_map_add_by_tags", (void **)&chafa.symbol_map_add_by_tags},
      {"chafa_canvas_new", (void **)&chafa.canvas_new},
      {"chafa_canvas_unref", (void **)&chafa.canvas_unref},
      {"chafa_canvas_draw_all_pixels", (void **)&chafa.draw_all_pixels},
      {"chafa_canvas_print", (void **)&chafa.print},
      {"chafa_term_db_get_default", (void **)&chafa.term_db_get_default},
      {"chafa_term_db_get_fallback_info", (void **)&chafa.term_db_get_fallback_info},
      {"chafa_term_info_unref", (void **)&chafa.term_info_unref},
      {"g_string_free", (void **)&chafa.string_free},
  };
  hasChafa = LOAD(LIBRARY("chafa", "0"), symbols);
}

const JPEGLibrary *JPEGLibraryLoad(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, loadJPEG);
  return hasJPEG ? &jpeg : NULL;
}

const PNGLibrary *PNGLibraryLoad(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, loadPNG);
  return hasPNG ? &png : NULL;
}

const ChafaLibrary *ChafaLibraryLoad(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, loadChafa);
  return hasChafa ? &chafa : NULL;
}
