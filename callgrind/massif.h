/*
 * Private to the library: files of Valgrind's massif.
 *
 * Of its snapshots one is read, the peak, or else the one with a tree that has the largest heap.
 * Its event is PeakBytes. A path of its tree is a stack, whose innermost function called the
 * allocator; of what massif leaves out as below its threshold, the innermost functions are known,
 * and "[below the threshold]" is the caller.
 */
#ifndef CG_MASSIF_H
#define CG_MASSIF_H

#include "callgrind/format.h"

extern const struct cg_format cg_massif_format;

#endif
