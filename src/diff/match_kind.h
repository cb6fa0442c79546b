/* How a function of one side was found on the other. */
#ifndef IRDIFF_DIFF_MATCH_KIND_H
#define IRDIFF_DIFF_MATCH_KIND_H

enum diff_match {
	DIFF_ONE_SIDED,
	DIFF_SAME,           /* name, object and file */
	DIFF_MOVED,          /* another file; of a group, another path or name */
	DIFF_OBJECT_RENAMED, /* another object, which the other side does not have or not know */
	/* Only paths are matched by what follows; see tree.h. */
	DIFF_INLINED,           /* it is called in base, and inlined in head */
	DIFF_NO_LONGER_INLINED, /* the other way round */
	DIFF_RENAMED,           /* another name, but similar callees */
	DIFF_DISSOLVED,         /* one-sided, but its callees are matched, with its caller's */
};

#endif
