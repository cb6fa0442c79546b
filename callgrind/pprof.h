/*
 * Private to the library: files of pprof, as Go, Rust and gperftools write them (profile.proto in
 * github.com/google/pprof), unpacked or gzipped.
 *
 * Types of samples become events; the default one, else the last, is the first event, as pprof
 * shows that one. Mappings become objects. A location of several lines has inlined functions, and
 * one without lines becomes a function without symbol, named by its address in the object. Labels
 * of samples, and the frames to drop, are ignored; a `desc:` line CG_IGNORED_KEY says so.
 *
 * Costs are estimated from samples (cg_samples_behind), unless the period is 1 byte: then each
 * allocation was counted. A file of irdiff states in its comments what is estimated.
 */
#ifndef CG_PPROF_H
#define CG_PPROF_H

#include "callgrind/format.h"

extern const struct cg_format cg_pprof_format;

#endif
