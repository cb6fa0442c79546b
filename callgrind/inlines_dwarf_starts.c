#include "callgrind/inlines_dwarf_starts.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "cgprofile/error.h"

/* More duplicates of one place are not followed. */
#define MOST_STARTS 64

/* A statement of the line table. */
struct dwarf_statement {
	const char *file;
	int line, column;
};

struct starts_search {
	Dwarf_Lines *lines;
	size_t nlines;
	struct dwarf_statement first; /* file NULL: not known */
	struct cg_dwarf_starts *starts;
	bool unsure;
};

/* Whether the compiler of a unit marks where statements begin. */
static bool marks_statements(void *unit)
{
	Dwarf_Attribute attribute;
	const char *producer = dwarf_formstring(dwarf_attr(unit, DW_AT_producer, &attribute));

	return producer && strncmp(producer, "GNU ", 4) == 0;
}

/* ---- the function ---- */

struct dwarf_declared {
	const char *file;
	int line;
};

static bool find_declared(Dwarf_Die *die, struct dwarf_declared *out)
{
	Dwarf_Attribute attribute;
	Dwarf_Word number, line;
	Dwarf_Half version;
	Dwarf_Die unit;
	Dwarf_Files *files;
	size_t nfiles;

	if (!dwarf_attr_integrate(die, DW_AT_decl_line, &attribute) ||
	    dwarf_formudata(&attribute, &line) != 0 || line > INT32_MAX ||
	    !dwarf_attr_integrate(die, DW_AT_decl_file, &attribute) ||
	    dwarf_formudata(&attribute, &number) != 0 ||
	    dwarf_cu_info(attribute.cu, &version, NULL, &unit, NULL, NULL, NULL, NULL) != 0 ||
	    dwarf_getsrcfiles(&unit, &files, &nfiles) != 0 || number >= nfiles ||
	    (number == 0 && version < 5))
		return false;
	out->file = dwarf_filesrc(files, number, NULL, NULL);
	out->line = (int)line;
	return out->file != NULL;
}

/* The entry that the compiler names, or the beginning of the only range: of several, the first may
 * be an instruction that was moved. */
static bool find_entry(Dwarf_Die *die, uint64_t *entry)
{
	Dwarf_Attribute attribute;
	Dwarf_Addr base, low, high, address;
	ptrdiff_t next = 0;
	size_t count = 0;

	if (dwarf_attr(die, DW_AT_entry_pc, &attribute)) {
		if (dwarf_formaddr(&attribute, &address) != 0)
			return false;
		*entry = address;
		return true;
	}
	while ((next = dwarf_ranges(die, next, &base, &low, &high)) > 0) {
		*entry = low;
		count += low < high;
	}
	return count == 1 && next == 0;
}

/* ---- the line table ---- */

static uint64_t address_of_row(Dwarf_Lines *lines, size_t row)
{
	Dwarf_Addr address;
	return dwarf_lineaddr(dwarf_onesrcline(lines, row), &address) == 0 ? address : UINT64_MAX;
}

/* The first row at an address or after it. */
static size_t first_row(const struct starts_search *s, uint64_t address)
{
	size_t low = 0, high = s->nlines;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (address_of_row(s->lines, middle) < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Whether a row begins a statement. */
static bool read_statement(const struct starts_search *s, size_t row, struct dwarf_statement *out)
{
	Dwarf_Line *line = dwarf_onesrcline(s->lines, row);
	bool begins = false, ends = false;

	if (dwarf_linebeginstatement(line, &begins) != 0 || !begins ||
	    dwarf_lineendsequence(line, &ends) != 0 || ends ||
	    dwarf_lineno(line, &out->line) != 0 || dwarf_linecol(line, &out->column) != 0)
		return false;
	out->file = dwarf_linesrc(line, NULL, NULL);
	return out->file != NULL;
}

/* Of the statements at the entry, the one that is the function's: callers and what is inlined in
 * turn are in other files, or further away from its declaration. */
static void find_first_statement(struct starts_search *s, uint64_t entry,
				 const struct dwarf_declared *declared)
{
	struct dwarf_statement found;

	for (size_t i = first_row(s, entry); i < s->nlines && address_of_row(s->lines, i) == entry;
	     i++)
		if (read_statement(s, i, &found) && found.line >= declared->line &&
		    strcmp(found.file, declared->file) == 0 &&
		    (!s->first.file || found.line < s->first.line))
			s->first = found;
}

static bool is_first_statement(const struct starts_search *s, size_t row)
{
	struct dwarf_statement found;
	return read_statement(s, row, &found) && found.line == s->first.line &&
	       found.column == s->first.column && strcmp(found.file, s->first.file) == 0;
}

static int add_start(struct starts_search *s, uint64_t address)
{
	struct cg_dwarf_starts *to = s->starts;

	if (to->count == MOST_STARTS)
		s->unsure = true;
	if (s->unsure)
		return CG_OK;
	if (cg_grow(&to->addresses, &to->cap, to->count + 1, sizeof *to->addresses))
		return CG_ENOMEM;
	to->addresses[to->count++] = address;
	return CG_OK;
}

static bool is_start(const struct starts_search *s, uint64_t address)
{
	for (size_t i = 0; i < s->starts->count; i++)
		if (s->starts->addresses[i] == address)
			return true;
	return false;
}

static int add_duplicates(struct starts_search *s, uint64_t low, uint64_t high)
{
	int status = CG_OK;

	for (size_t i = first_row(s, low); !status && i < s->nlines; i++) {
		uint64_t address = address_of_row(s->lines, i);
		if (address >= high)
			break;
		if (is_first_statement(s, i) && !is_start(s, address))
			status = add_start(s, address);
	}
	return status;
}

int cg_dwarf_find_starts(void *die, struct cg_dwarf_starts *starts)
{
	struct starts_search s = { .starts = starts };
	struct dwarf_declared declared;
	Dwarf_Addr base, low, high;
	Dwarf_Die unit;
	uint64_t entry = 0;
	ptrdiff_t next = 0;

	if (!dwarf_diecu(die, &unit, NULL, NULL) || !marks_statements(&unit) ||
	    !find_entry(die, &entry) || !find_declared(die, &declared) ||
	    dwarf_getsrclines(&unit, &s.lines, &s.nlines) != 0)
		return CG_OK;
	int status = add_start(&s, entry);
	find_first_statement(&s, entry, &declared);
	while (!status && s.first.file && (next = dwarf_ranges(die, next, &base, &low, &high)) > 0)
		status = add_duplicates(&s, low, high);
	if (s.unsure)
		starts->count = 0;
	return status;
}
