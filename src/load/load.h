/* Profiles as commands use them: found by their operands, read, with what is known of them. */
#ifndef IRDIFF_LOAD_LOAD_H
#define IRDIFF_LOAD_LOAD_H

#include "callgrind/machine_code.h"
#include "cgprofile/reader.h"
#include "src/load/inlining.h"
#include "src/load/select_parts.h"
#include "src/load/stored_variant.h"
#include "src/report/show.h"
#include "src/status/notice.h"
#include "src/store/profiles.h"
#include "src/store/sources.h"

struct project;
struct commit_source;

/* A profile that operands named, with the facts about it. */
struct loaded {
	struct cg_profile *profile;
	struct path_list files; /* that were read */
	char *name;
	char *path;      /* that the user named; NULL: several */
	char *tree;      /* the work tree of the project: its files may be shown; NULL: none */
	char *commit;    /* that it is for, if it shares the run of another commit; NULL: its own */
	bool changed;    /* it is for a work tree with changes on that commit, or on its own */
	char *when;      /* its files were written, in local time; NULL: not known */
	int64_t written; /* the same since 1970, where that is known */
	struct inlining inlining;
	bool apart;      /* inlined functions, if it has any, are functions of their own */
	bool is_variant; /* it was read from a file that irdiff keeps beside that of a label */
	bool contexts;   /* it was read as it was stored with calling contexts */
	struct stored_sources sources;   /* if they were kept, and asked for as lines are */
	struct cg_code code;             /* if it was kept, and asked for as addresses are */
	struct commit_source *at_commit; /* likewise: what was not kept; NULL: of no commit */
	struct report_origin origin;     /* texts belong to the rest of this struct */
};

struct load_options {
	struct cg_read_options read;
	enum stored_file stored;
	enum inlines_lookup lookup;
	bool sources;              /* their texts can be found, as always with lines */
	bool silent;               /* no warnings: the same was read before */
	struct warnings *warnings; /* where those go that others repeat; NULL: at once */
	bool unwatched;            /* no progress either: the terminal shows something else */
};

/* The files of the commit or work tree that a profile is for, or whose run it shares. `tree` and
 * *out are as in commit_source_new. */
int loaded_commit_source(const struct project *project, const struct loaded *l, const char *tree,
			 struct commit_source **out, struct cg_error *err);

/* The files of the project that the build and the run of a profile used; not known if they were not
 * kept. On failure, too, free with used_files_free. */
int loaded_used_files(const struct project *project, const struct loaded *l, struct used_files *out,
		      struct cg_error *err);

/* Options that all commands have which read profiles; texts as the user gave them. */
struct reading_options {
	const char *inlines; /* auto, yes, all, no or approximate */
	bool lenient;
	struct selection_texts selection;
};

/* To read as they say. `selection` must stay: it is what the texts mean. */
struct load_options load_options_from(const struct reading_options *o,
				      const struct cg_selection *selection,
				      struct cg_detail detail);

/* Reads one profile: the first operand is a label, a file or a pattern of files, the
 * others are further files, or if profiles are merged the same as the first. Unless the
 * options fold inlined functions, those of files with addresses are looked up. */
int load_profile(const struct project *project, const char *const *operands, size_t count,
		 const struct load_options *options, struct loaded *out, struct cg_error *err);

/* The same as options say, with warnings about these; *selection becomes what they select. */
int load_profile_as(const struct project *project, const char *const *operands, size_t count,
		    const struct reading_options *o, struct cg_detail detail,
		    struct part_selection *selection, struct loaded *out, struct cg_error *err);

/* Reads two profiles, each from one operand, at the same time. If both fail, the
 * error is about base. On failure, too, what was loaded is the caller's. Inlined functions are
 * those of both, or are folded in both; but a baseline's text is what it is, so the other profile
 * is read like it, whatever the options say. */
int load_profiles(const struct project *project, const char *base, const char *head,
		  const struct load_options *options, struct loaded *base_out,
		  struct loaded *head_out, struct cg_error *err);

/* A profile without costs that has the same events. */
int make_nothing(const struct cg_profile *like, struct cg_profile **out, struct cg_error *err);

/* Reads the only profile that there is of two; *nothing becomes one without costs, which has the
 * same events. The name of that is empty. */
int load_profile_alone(const struct project *project, const char *operand,
		       const struct load_options *options, struct loaded *out,
		       struct loaded *nothing, struct cg_error *err);

/* Calls it otherwise in reports than by its operand. */
int loaded_rename(struct loaded *l, const char *name, struct cg_error *err);

/* Whether what was read can be read again. */
bool loaded_is_lasting(const struct loaded *l);

void loaded_free(struct loaded *l);

#endif
