#include "callgrind/inlines_stubs.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/inlines_dwarf_stubs.h"

/* A function that may be a stub, and a place that shows it. */
struct possible_stub {
	uint32_t object; /* its number in `in` */
	uint32_t function;
	struct cg_stub stub;
};

struct possible_stubs {
	struct cg_inlines *in;
	const struct cg_profile *p;
	struct possible_stub *rows;
	size_t count;
};

/* What a function's name says of its address, as "0x0000000000001030"; 0: it has another name. */
static uint64_t address_in_name(const struct cg_profile *p, const struct cg_function *f)
{
	const char *name = cg_string(p, f->name);
	size_t digits = strncmp(name, "0x", 2) == 0 ? strspn(name + 2, "0123456789abcdef") : 0;

	return digits && digits <= 16 && !name[2 + digits] ? strtoull(name + 2, NULL, 16) : 0;
}

static void add_possible_stub(struct possible_stubs *s, cg_str object, uint32_t function,
			      uint64_t address, bool is_call)
{
	const struct cg_inlines_object *found = cg_inlines_find_object(s->in,
								       cg_string(s->p, object));

	if (found && found->state == CG_INLINES_FOUND && address)
		s->rows[s->count++] = (struct possible_stub){
			.object = (uint32_t)(found - s->in->objects),
			.function = function,
			.stub = { .address = address, .is_call = is_call },
		};
}

static void collect_possible_stubs(struct possible_stubs *s)
{
	const struct cg_profile *p = s->p;

	for (uint32_t f = 1; f < p->nfunctions; f++)
		if (p->functions[f].object)
			add_possible_stub(s, p->functions[f].object, f,
					  address_in_name(p, &p->functions[f]), false);
	for (uint32_t i = 1; i < p->ncalls; i++) {
		const struct cg_call *c = &p->calls[i];
		uint32_t callee = p->records[c->callee].function;
		cg_str object = p->functions[p->records[c->caller].function].object;
		if (object && !p->functions[callee].object &&
		    address_in_name(p, &p->functions[callee]))
			add_possible_stub(s, object, callee, cg_call_place(p, i).address, true);
	}
}

static int compare_possible_objects(const void *left, const void *right)
{
	const struct possible_stub *a = left, *b = right;

	if (a->object != b->object)
		return a->object < b->object ? -1 : 1;
	if (a->function != b->function)
		return a->function < b->function ? -1 : 1;
	return (a->stub.address > b->stub.address) - (a->stub.address < b->stub.address);
}

static int compare_possible_functions(const void *left, const void *right)
{
	const struct possible_stub *a = left, *b = right;
	int order = (a->function > b->function) - (a->function < b->function);
	return order ? order : compare_possible_objects(left, right);
}

/* Opens each object once. */
static int name_possible_stubs(struct possible_stubs *s)
{
	struct cg_stub *stubs = calloc(s->count + 1, sizeof *stubs);
	int status = stubs ? CG_OK : CG_ENOMEM;

	for (size_t i = 0, n; !status && i < s->count; i += n) {
		uint32_t object = s->rows[i].object;
		for (n = 0; i + n < s->count && s->rows[i + n].object == object; n++)
			stubs[n] = s->rows[i + n].stub;
		char *path = strdup(cg_strings_get(&s->in->strings, s->in->objects[object].path));
		status = path ? cg_dwarf_name_stubs(path, stubs, n, &s->in->strings) : CG_ENOMEM;
		free(path);
		for (size_t k = 0; k < n; k++)
			s->rows[i + k].stub = stubs[k];
	}
	free(stubs);
	return status;
}

static int add_stub_text(struct cg_inlines *in, const char *text, cg_str *id)
{
	return cg_strings_add(&in->strings, text, strlen(text), id);
}

static int add_stub_row(struct possible_stubs *s, const struct possible_stub *stub)
{
	const struct cg_function *f = &s->p->functions[stub->function];
	struct cg_inlines_file row = { .name = stub->stub.name,
				       .real_object = s->in->objects[stub->object].path };
	int status = add_stub_text(s->in, cg_string(s->p, f->object), &row.object);

	if (!status)
		status = add_stub_text(s->in, cg_string(s->p, f->file), &row.file);
	if (!status)
		status = add_stub_text(s->in, cg_string(s->p, f->name), &row.function);
	if (!status)
		s->in->files[s->in->nfiles++] = row;
	return status;
}

/* What several places call must be the same for all of them. */
static int add_stub_rows(struct possible_stubs *s)
{
	int status = CG_OK;

	for (size_t i = 0, next; !status && i < s->count; i = next) {
		const struct possible_stub *known = NULL;
		bool same = true;
		for (next = i; next < s->count && s->rows[next].function == s->rows[i].function;
		     next++) {
			const struct possible_stub *row = &s->rows[next];
			same &= !row->stub.name || !known ||
				(known->stub.name == row->stub.name &&
				 known->object == row->object);
			known = row->stub.name ? row : known;
		}
		if (known && same)
			status = add_stub_row(s, known);
	}
	return status;
}

int cg_inlines_add_stubs(struct cg_inlines *in, const struct cg_profile *p)
{
	struct possible_stubs s = { .in = in, .p = p };
	int status = CG_OK;

	s.rows = calloc((size_t)p->nfunctions + p->ncalls + 1, sizeof *s.rows);
	if (!s.rows)
		return CG_ENOMEM;
	collect_possible_stubs(&s);
	qsort(s.rows, s.count, sizeof *s.rows, compare_possible_objects);
	status = name_possible_stubs(&s);
	qsort(s.rows, s.count, sizeof *s.rows, compare_possible_functions);
	if (!status)
		status = add_stub_rows(&s);
	free(s.rows);
	return status;
}
