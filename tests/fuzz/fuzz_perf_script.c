/* What perf script prints: as many samples as there are, and none is counted twice. */
#include "callgrind/perf_script.h"
#include "tests/fuzz/reading.h"

/* At most one sample is in a line. */
static uint64_t lines_of(const uint8_t *data, size_t size)
{
	uint64_t lines = 1;
	for (size_t i = 0; i < size; i++)
		lines += data[i] == '\n';
	return lines;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check_reading(data, size);
	if (!cg_perf_script_format.detect((const char *)data, size))
		return 0;
	struct cg_profile *p = flat_profile_of(data, size);
	if (!p)
		return 0;
	uint64_t all = 0, of_events = 0, samples;
	int event = cg_event_index(p, "samples");
	LAW(event == (int)p->nevents - 1, "samples are the last event");
	LAW(cg_samples_behind(p, "samples", &all), "perf samples");
	LAW((uint64_t)p->total[event] == all, "%" PRIu64 " samples were counted", all);
	LAW(all > 0 && all <= lines_of(data, size), "%" PRIu64 " samples were made up", all);
	for (uint32_t e = 0; e + 1 < p->nevents; e++) {
		LAW(cg_samples_behind(p, cg_string(p, p->events[e].name), &samples),
		    "an event was not sampled");
		of_events += samples;
	}
	LAW(p->nevents == 1 || of_events == all, "a sample is of no event, or of two");
	cg_profile_free(p);
	return 0;
}
