/* What an executable file is: an ELF image, a script, or something else. */
#ifndef IRDIFF_RUN_IMAGE_H
#define IRDIFF_RUN_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "cgprofile/error.h"

enum image_kind {
	IMAGE_OTHER, /* neither; execvp(3) would try a shell on it */
	IMAGE_ELF,
	IMAGE_SCRIPT, /* begins with #! */
};

struct image {
	enum image_kind kind;
	char *interpreter; /* of a script: the file after #!; of an ELF image: its ld.so
			     * (PT_INTERP), NULL if it is static or a library */
	char *argument;    /* of a script: the rest of the #! line, or NULL */
	bool foreign;      /* ELF of a byte order or machine this one does not run */
	bool shared;       /* ELF: ET_DYN, a library or a position-independent program */
	/* ELF: may name libraries that the loader runs before all others, even if it only lists
	 * libraries (DT_AUDIT, DT_DEPAUDIT) */
	bool audited;
	bool go;          /* ELF: a program of Go, as its sections say */
	bool stripped;    /* ELF: its sections lack the names of its functions */
	uint16_t machine; /* ELF: e_machine */
	unsigned bits;    /* ELF: 32 or 64 */
	char *build_id;   /* ELF: in hexadecimal, NULL if missing */
	char *compiler;   /* ELF: contents of .comment, parts joined by "; ", NULL if none */
};

/* Looks at a regular file. *image is untouched on failure; free it after
 * success. A file that claims to be ELF but is damaged is CG_ESYNTAX. */
int image_read(const char *path, struct image *image, struct cg_error *err);

/* Whether a file contains this text; one that cannot be read does not. */
bool image_has_text(const char *path, const char *text);
void image_free(struct image *image);

#endif
