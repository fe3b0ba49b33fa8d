// SPDX-License-Identifier: GPL-3.0-or-later

#include <histedit.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

/* A system function that some headers declare only if certain feature macros are defined. */
int wcwidth(wchar_t character);

/* libedit's settings are set by variadic functions, which Swift cannot call; the functions here wrap them. */

/* Gives standard output a buffer, which only libedit uses, so that all its output for a key is written at once. */
static inline EditLine *segue_el_open(const char *program) {
  setvbuf(stdout, NULL, _IOFBF, 1 << 16);
  return el_init(program, stdin, stdout, stderr);
}

/* Appends text to libedit's pending output. */
static inline void segue_el_put(const char *text) {
  fputs(text, stdout);
}

/* Writes the pending output. */
static inline void segue_el_flush(void) {
  fflush(stdout);
}

/* Returns the prompt, which libedit copies. */
typedef char *(*segue_el_prompt)(EditLine *line);

static inline int segue_el_set_prompt(EditLine *line, segue_el_prompt prompt) {
  return el_set(line, EL_PROMPT, prompt);
}

/* Reads the next typed character; returns 1, 0 at the end of the input, or -1 for an error. */
typedef int (*segue_el_reader)(EditLine *line, wchar_t *character);

static inline int segue_el_set_reader(EditLine *line, segue_el_reader reader) {
  return el_set(line, EL_GETCFN, reader);
}

/* Called with the editor and the key that was pressed; returns a CC_ code. */
typedef unsigned char (*segue_el_function)(EditLine *line, int key);

static inline int segue_el_bind(
    EditLine *line, const char *key, const char *name, const char *help, segue_el_function function) {
  el_set(line, EL_ADDFN, name, help, function);
  return el_set(line, EL_BIND, key, name, NULL);
}

static inline int segue_el_bind_known(EditLine *line, const char *key, const char *name) {
  return el_set(line, EL_BIND, key, name, NULL);
}

static inline void segue_el_set_context(EditLine *line, void *context) {
  el_set(line, EL_CLIENTDATA, context);
}

static inline void *segue_el_context(EditLine *line) {
  void *context = NULL;
  el_get(line, EL_CLIENTDATA, &context);
  return context;
}

/* Whether the key bindings are those of Emacs rather than vi. */
static inline int segue_el_is_emacs(EditLine *line) {
  const char *editor = NULL;
  return el_get(line, EL_EDITOR, &editor) == 0 && editor != NULL && strcmp(editor, "emacs") == 0;
}

/* Redraws the prompt and the line at the terminal's cursor. */
static inline int segue_el_redraw(EditLine *line) {
  return el_set(line, EL_REFRESH);
}

static inline int segue_el_set_editor(EditLine *line, const char *editor) {
  return el_set(line, EL_EDITOR, editor);
}

static inline int segue_el_set_signal(EditLine *line, int handles) {
  return el_set(line, EL_SIGNAL, handles);
}

static inline int segue_el_prepare_terminal(EditLine *line, int raw) {
  return el_set(line, EL_PREP_TERM, raw);
}

static inline int segue_el_set_history(EditLine *line, History *past) {
  return el_set(line, EL_HIST, history, past);
}

static inline int segue_history_set_size(History *past, int size) {
  HistEvent event;
  return history(past, &event, H_SETSIZE, size);
}

static inline int segue_history_set_unique(History *past, int unique) {
  HistEvent event;
  return history(past, &event, H_SETUNIQUE, unique);
}

static inline int segue_history_enter(History *past, const char *line) {
  HistEvent event;
  return history(past, &event, H_ENTER, line);
}

static inline int segue_history_load(History *past, const char *path) {
  HistEvent event;
  return history(past, &event, H_LOAD, path);
}

static inline int segue_history_save(History *past, const char *path) {
  HistEvent event;
  return history(past, &event, H_SAVE, path);
}

/* Whether the locale's encoding is UTF-8. */
static inline int segue_locale_is_utf8(void) {
  setlocale(LC_CTYPE, "");
  return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

/* The number of cells that libedit counts for a character; -1 for the end of a line, -2 for a tab. */
static inline int segue_el_cells(wchar_t character) {
  if (character == L'\n') return -1;
  if (character == L'\t') return -2;
  if (character < 0x100 && iswcntrl((wint_t)character)) return 2;
  if (iswprint((wint_t)character)) {
    int width = wcwidth(character);
    return width < 0 ? 0 : width;
  }
  return character > 0xFFFF ? 8 : 7;
}
