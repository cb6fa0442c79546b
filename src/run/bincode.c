#include "src/run/bincode.h"

#include <string.h>

struct decoding {
	const struct bincode_reader *reader;
	const unsigned char *at, *end;
	struct bincode_value last;
	int status;
};

static const char *read_type(struct decoding *d, const char *type);

/* ---- the types ---- */

static const char *skip_type(const char *type)
{
	size_t open = 0;

	while (*type == '?' || *type == '[')
		type++;
	do {
		open += *type == '(' || *type == '{';
		open -= *type == ')' || *type == '}';
		type++;
	} while (open);
	return type;
}

/* The contents of a variant; NULL: there is none of this number. */
static const char *find_variant(const char *type, uint64_t number)
{
	for (type++; number && *type != '}';) {
		if (*type == '|') {
			number--;
			type++;
		} else if (*type == ' ' || *type == '=') {
			type += *type == '=' ? 2 : 1;
		} else {
			type = skip_type(type);
		}
	}
	return number ? NULL : type;
}

/* ---- the bytes ---- */

static void refuse(struct decoding *d)
{
	if (!d->status)
		d->status = CG_ESYNTAX;
}

static uint64_t decode_number(struct decoding *d, size_t size)
{
	uint64_t number = 0;

	if ((size_t)(d->end - d->at) < size) {
		refuse(d);
		return 0;
	}
	for (size_t i = 0; i < size; i++)
		number |= (uint64_t)d->at[i] << (8 * i);
	d->at += size;
	return number;
}

static bool decode_bool(struct decoding *d)
{
	const uint64_t number = decode_number(d, 1);

	if (number > 1)
		refuse(d);
	return number == 1;
}

static void decode_text(struct decoding *d)
{
	const uint64_t len = decode_number(d, 8);

	if (d->status || len > (uint64_t)(d->end - d->at)) {
		refuse(d);
		return;
	}
	d->last.text = (const char *)d->at;
	d->last.len = (size_t)len;
	d->at += len;
}

/* Reads fields up to the end of a list of types, and returns that. */
static const char *read_fields(struct decoding *d, const char *type)
{
	while (*type && !strchr(")|}", *type)) {
		if (*type == ' ') {
			type++;
			continue;
		}
		d->last = (struct bincode_value){ 0 };
		type = read_type(d, type);
		if (*type == '=') {
			if (!d->status)
				d->status = d->reader->value(d->reader->to, type[1], &d->last);
			type += 2;
		}
	}
	return type;
}

static void read_structure(struct decoding *d, char structure)
{
	const struct bincode_reader *reader = d->reader;
	const char *fields = reader->fields(reader->to, structure);

	if (!fields)
		refuse(d);
	if (!d->status)
		d->status = reader->begin(reader->to, structure);
	if (d->status)
		return;
	read_fields(d, fields);
	if (!d->status)
		d->status = reader->end(reader->to, structure);
}

static void read_variant(struct decoding *d, const char *type)
{
	const uint64_t number = decode_number(d, 4);
	const char *contents = d->status ? NULL : find_variant(type, number);
	const bool given = d->last.given;

	if (!contents) {
		refuse(d);
		return;
	}
	read_fields(d, contents);
	d->last.given = given;
	d->last.number = number;
}

/* Each element has at least one byte, so a length that is too great ends with the bytes. */
static void read_elements(struct decoding *d, const char *type)
{
	for (uint64_t n = decode_number(d, 8); n && !d->status; n--)
		read_type(d, type);
}

/* Returns the end of the type. */
static const char *read_type(struct decoding *d, const char *type)
{
	if (d->status)
		return skip_type(type);
	switch (*type) {
	case 'b':
		d->last.number = decode_bool(d);
		break;
	case 'e':
		d->last.number = decode_number(d, 4);
		break;
	case 'n':
		d->last.number = decode_number(d, 8);
		break;
	case 's':
		decode_text(d);
		break;
	case '?':
		d->last.given = decode_bool(d);
		if (d->last.given)
			read_type(d, type + 1);
		break;
	case '[':
		read_elements(d, type + 1);
		break;
	case '(':
		read_fields(d, type + 1);
		break;
	case '{':
		read_variant(d, type);
		break;
	default:
		read_structure(d, *type);
	}
	return skip_type(type);
}

int bincode_read(const struct bincode_reader *reader, char structure, const char *bytes,
		 size_t size)
{
	struct decoding d = {
		.reader = reader,
		.at = (const unsigned char *)bytes,
		.end = (const unsigned char *)bytes + size,
	};

	read_structure(&d, structure);
	if (d.at != d.end)
		refuse(&d);
	return d.status;
}
