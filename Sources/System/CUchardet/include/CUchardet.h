#ifndef SEGUE_CUCHARDET_H
#define SEGUE_CUCHARDET_H

#include <stdbool.h>
#include <stddef.h>

/// Puts the name of the character set that libuchardet takes these bytes for into `name`, a text of less than `size`
/// bytes that a NUL ends. The library is loaded when it is first asked.
///
/// `false` where it cannot tell, is not there, or memory runs out. Any thread.
bool UchardetName(const char *bytes, size_t count, char *name, size_t size);

#endif
