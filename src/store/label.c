#include "src/store/label.h"

#include <string.h>

#include "callgrind/support/text.h"

static int check_ends(const char *label, size_t len, struct cg_error *err)
{
	if (label[0] == '.')
		return cg_fail(err, CG_EINVAL, NULL, 0, "a label cannot begin with a dot");
	if (label[0] == '-')
		return cg_fail(err, CG_EINVAL, NULL, 0,
			       "a label cannot begin with a dash: it would be taken for an option");
	if (label[0] == ' ' || label[len - 1] == ' ')
		return cg_fail(err, CG_EINVAL, NULL, 0, "a label cannot begin or end with a space");
	return CG_OK;
}

static int check_characters(const char *label, size_t len, struct cg_error *err)
{
	for (size_t i = 0, n; i < len; i += n) {
		uint32_t code;

		n = cg_utf8_decode(label + i, len - i, &code);
		if (n == 0)
			return cg_fail(err, CG_EINVAL, NULL, 0,
				       "a label must be UTF-8, byte %zu is not", i + 1);
		if (code == '/' || code == '\\')
			return cg_fail(err, CG_EINVAL, NULL, 0,
				       "a label cannot have a '%c' in it: it names a file, not a "
				       "path",
				       (int)code);
		if (cg_is_control(code))
			return cg_fail(err, CG_EINVAL, NULL, 0,
				       "a label cannot have control characters, byte %zu is one "
				       "(U+%04X)",
				       i + 1, (unsigned)code);
	}
	return CG_OK;
}

static int check(const char *label, size_t len, struct cg_error *err)
{
	int rc;

	if (len == 0)
		return cg_fail(err, CG_EINVAL, NULL, 0, "a label cannot be empty");
	if (len > LABEL_MAX)
		return cg_fail(err, CG_EINVAL, NULL, 0,
			       "a label has at most %d bytes, this one has %zu", LABEL_MAX, len);
	if ((rc = check_ends(label, len, err)) != CG_OK)
		return rc;
	return check_characters(label, len, err);
}

int label_check(const char *label, struct cg_error *err)
{
	size_t len = strlen(label);
	int rc = check(label, len, err);

	if (rc != CG_OK && len > 0) {
		char quoted[CG_QUOTE_SIZE];
		cg_error_context(err, "%s", cg_quote(quoted, label, len));
	}
	return rc;
}

int label_check_new(const char *label, struct cg_error *err)
{
	static const char kept[] = ".old";
	size_t len = strlen(label);
	int rc = label_check(label, err);

	if (rc != CG_OK)
		return rc;

	char quoted[CG_QUOTE_SIZE];
	if (len > LABEL_MAX - strlen(kept))
		return cg_fail(err, CG_EINVAL, NULL, 0,
			       "%s: a new label has at most %zu bytes, this one has %zu",
			       cg_quote(quoted, label, len), LABEL_MAX - strlen(kept), len);
	if (len < sizeof kept || strcmp(label + len - strlen(kept), kept) != 0)
		return CG_OK;
	return cg_fail(err, CG_EINVAL, NULL, 0,
		       "%s: a new label cannot end in '.old', which is kept for replaced profiles",
		       cg_quote(quoted, label, len));
}
