/* Cargo.toml, line by line: enough of TOML to know a package's targets. */
#ifndef IRDIFF_INIT_CARGO_MANIFEST_H
#define IRDIFF_INIT_CARGO_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/init/build_file.h"

#define CARGO_TARGETS_MAX 64
#define CARGO_MEMBERS_MAX 64
#define CARGO_FEATURES_MAX 8

struct cargo_target {
	char kind[16]; /* "bench", "test", "bin", "example" */
	char name[CALL_WORD_MAX];
	char path[BUILD_PATH_MAX];                        /* "": where Cargo expects it */
	char features[CARGO_FEATURES_MAX][CALL_WORD_MAX]; /* required-features */
	size_t feature_count;
	bool own_main; /* harness = false */
	uint64_t line; /* of its name */
};

struct cargo_manifest {
	char package[CALL_WORD_MAX]; /* "" in a virtual workspace */
	struct cargo_target targets[CARGO_TARGETS_MAX];
	size_t target_count;
	char members[CARGO_MEMBERS_MAX][CALL_WORD_MAX]; /* patterns of a workspace */
	size_t member_count;
	char excluded[CARGO_MEMBERS_MAX][CALL_WORD_MAX];
	size_t excluded_count;
	bool strips;        /* a profile has `strip`, so programs may lack debug information */
	bool codspeed;      /* it depends on a library of CodSpeed */
	bool old_criterion; /* it depends on criterion before 0.4 */
};

/* Reads one without comments; what is too long or too much is left out. */
void cargo_manifest_read(const char *text, struct cargo_manifest *out);

/* Whether the directory "crates/a" is a member. */
bool cargo_is_member(const struct cargo_manifest *workspace, const char *directory);

#endif
