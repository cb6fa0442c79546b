/* Files of pprof: the values of all samples add up, by other means than the reader's. */
#include "callgrind/pprof.h"
#include "callgrind/wire.h"
#include "tests/fuzz/reading.h"

enum { PROFILE_SAMPLE = 2, SAMPLE_VALUE = 2 };

struct sums {
	size_t ntypes, next;
	int64_t *of_type;
};

static void add_value(struct sums *s, uint64_t value)
{
	LAW(s->next < s->ntypes, "a sample with more values than types was taken");
	s->of_type[s->next] = (int64_t)((uint64_t)s->of_type[s->next] + value);
	s->next++;
}

static void add_sample(struct sums *s, struct cg_wire sample)
{
	struct cg_wire_field f;
	uint64_t value;

	s->next = 0;
	while (cg_wire_next(&sample, &f) == CG_WIRE_FIELD) {
		if (f.number != SAMPLE_VALUE)
			continue;
		if (f.type == CG_WIRE_NUMBER)
			add_value(s, f.value);
		while (f.type == CG_WIRE_BYTES && cg_wire_take_number(&f.bytes, &value))
			add_value(s, value);
	}
	LAW(s->next == s->ntypes, "a sample with fewer values than types was taken");
}

static void sum_samples(struct sums *s, const uint8_t *data, size_t size)
{
	struct cg_wire file = { data, data + size };
	struct cg_wire_field f;

	while (cg_wire_next(&file, &f) == CG_WIRE_FIELD)
		if (f.number == PROFILE_SAMPLE && f.type == CG_WIRE_BYTES)
			add_sample(s, f.bytes);
	LAW(file.at == file.end, "a damaged file was taken");
}

/* The default type comes first, the others keep their order. */
static bool is_reordered(const struct cg_profile *p, const struct sums *s)
{
	for (size_t first = 0; first < s->ntypes; first++) {
		bool same = p->total[0] == s->of_type[first];
		for (size_t i = 0, e = 1; i < s->ntypes; i++)
			same = same && (i == first || p->total[e++] == s->of_type[i]);
		if (same)
			return true;
	}
	return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check_reading(data, size);
	if (!cg_pprof_format.detect((const char *)data, size))
		return 0;
	struct cg_profile *p = flat_profile_of(data, size);
	if (!p)
		return 0;
	struct sums s = { .ntypes = p->nevents, .of_type = calloc(p->nevents, sizeof(int64_t)) };
	LAW(s.of_type, "out of memory");
	sum_samples(&s, data, size);
	LAW(is_reordered(p, &s), "the values of the samples add up to something else");
	LAW(p->has_levels, "recursion levels of stacks are exact");
	free(s.of_type);
	cg_profile_free(p);
	return 0;
}
