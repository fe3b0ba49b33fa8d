// The GNU C library's own calls for its heap, which its module leaves out.
#include <features.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
