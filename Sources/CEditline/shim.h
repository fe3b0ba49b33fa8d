#include <histedit.h>
#include <locale.h>
#include <stdio.h>

/* libedit's settings are variadic functions, which Swift cannot call: one plain function for each that is used. */

static inline EditLine *segue_el_open(const char *program) {
  return el_init(program, stdin, stdout, stderr);
}

static inline char *segue_prompt(EditLine *line) {
  (void)line;
  static char prompt[] = "segue> ";
  return prompt;
}

static inline int segue_el_set_prompt(EditLine *line) {
  return el_set(line, EL_PROMPT, segue_prompt);
}

/* Called with the editor and the key that was pressed; gives a CC_ code. */
typedef unsigned char (*segue_el_function)(EditLine *line, int key);

static inline int segue_el_bind_tab(EditLine *line, segue_el_function function, void *context) {
  el_set(line, EL_CLIENTDATA, context);
  el_set(line, EL_ADDFN, "segue-complete", "Complete the word at the cursor", function);
  return el_set(line, EL_BIND, "^I", "segue-complete", NULL);
}

static inline void *segue_el_context(EditLine *line) {
  void *context = NULL;
  el_get(line, EL_CLIENTDATA, &context);
  return context;
}

/* Draws the prompt and the line anew where the cursor of the terminal is. */
static inline int segue_el_redraw(EditLine *line) {
  return el_set(line, EL_REFRESH);
}

static inline int segue_el_set_editor(EditLine *line, const char *editor) {
  return el_set(line, EL_EDITOR, editor);
}

static inline int segue_el_set_signal(EditLine *line, int handles) {
  return el_set(line, EL_SIGNAL, handles);
}

static inline int segue_el_prepare_terminal(EditLine *line) {
  return el_set(line, EL_PREP_TERM, 1);
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
