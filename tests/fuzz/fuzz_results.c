/*
 * A directory of results from another machine, made of sections: entries are taken into the cache
 * of a project, and nothing else is.
 */
#include <dirent.h>

#include "src/compare/results_overlap.h"
#include "src/store/cache.h"
#include "src/store/files.h"
#include "tests/fuzz/sections.h"

static void check_document(const struct results *r)
{
	LAW(r->shard.number > 0 && r->shard.number <= r->shard.of && r->shard.of <= SHARDS_MAX,
	    "shard %" PRIu64 "/%" PRIu64, r->shard.number, r->shard.of);
	LAW(r->base && r->head && r->head_files, "a document is whole");
	LAW(r->ending >= 0 && r->ending < 256, "exit code %d", r->ending);
	for (size_t i = 0; i < r->nbenchmarks; i++)
		LAW(r->benchmarks[i], "benchmark %zu has a name", i);
	for (size_t i = 0; i < r->npairs; i++) {
		const struct results_pair *p = &r->pairs[i];
		LAW(p->name && (p->base || p->head), "pair %zu is whole", i);
	}
	for (size_t i = 0; i < r->nfailures; i++)
		LAW(r->failures[i].name && r->failures[i].where, "failure %zu is whole", i);
}

static bool is_of_a_pair(const struct results *r, const char *name)
{
	for (size_t i = 0; i < r->npairs; i++)
		if ((r->pairs[i].base && strcmp(r->pairs[i].base, name) == 0) ||
		    (r->pairs[i].head && strcmp(r->pairs[i].head, name) == 0))
			return true;
	return false;
}

/* Every entry is one that a pair names, and is a whole one. */
static void check_cache(const struct results *r)
{
	DIR *cache = opendir(scratch_path("to/.irdiff/cache"));

	for (struct dirent *e; cache && (e = readdir(cache));) {
		char path[400];
		size_t size;
		if (e->d_name[0] == '.' || strcmp(e->d_name, "failed") == 0)
			continue;
		LAW(is_of_a_pair(r, e->d_name) && cache_is_name(e->d_name), "%s was taken",
		    e->d_name);
		snprintf(path, sizeof path, "to/.irdiff/cache/%.200s/%s", e->d_name,
			 CACHE_KEY_FILE);
		char *key = scratch_read(path, &size);
		LAW(key, "%s has a key", e->d_name);
		free(key);
	}
	if (cache)
		closedir(cache);
}

/* What is written of what was read is read as the same. */
static void check_again(const struct results *r)
{
	struct results again;
	struct cg_error err = { 0 };

	LAW(!results_write(r, scratch_path("to"), scratch_path("again"), &err), "%s", err.message);
	LAW(!results_read(scratch_path("again/results.json"), &again, &err), "%s", err.message);
	check_document(&again);
	LAW(again.npairs == r->npairs && again.nbenchmarks == r->nbenchmarks &&
		    again.nfailures == r->nfailures && again.limits.count == r->limits.count &&
		    again.ending == r->ending && again.check == r->check &&
		    strcmp(again.head_files, r->head_files) == 0,
	    "results are written as they were");
	results_free(&again);
}

/* The same results, given twice, have no pair that only one of them has. */
static void check_overlap(const struct results *r)
{
	struct results both[2] = { *r };
	struct cg_error err = { 0 };

	LAW(!results_read(scratch(), &both[1], &err), "%s", err.message);
	int status = results_find_overlap(both, (const char *const[]){ scratch(), scratch() }, 2,
					  &err);
	check_error(status, &err);
	for (size_t i = 0; i < r->npairs; i++)
		LAW(!r->pairs[i].kept && (status || both[1].pairs[i].kept), "pair %zu", i);
	results_free(&both[1]);
}

/* Other versions are refused: @VERSION@ is that of this one. */
static void put_version(void)
{
	size_t size;
	char *text = scratch_read("results.json", &size),
	     *at = text ? strstr(text, "@VERSION@") : NULL;
	char *now = NULL;
	int len = at ? asprintf(&now, "%.*s" PACKAGE_VERSION "%s", (int)(at - text), text, at + 9)
		     : 0;

	LAW(len >= 0, "out of memory");
	if (at)
		scratch_write("results.json", now, (size_t)len);
	free(now);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct results r = { 0 };
	struct cg_error err = { 0 };

	scratch_unpack(data, size);
	put_version();
	remove_directory(scratch_path("to"), NULL);
	remove_directory(scratch_path("again"), NULL);
	int status = results_read(scratch(), &r, &err);
	check_error(status, &err);
	if (!status) {
		check_document(&r);
		make_directories(scratch_path("to"), NULL);
		status = results_take_entries(&r, (const char *const[]){ scratch() }, 1,
					      scratch_path("to"), &err);
		check_error(status, &err);
		check_cache(&r);
		check_again(&r);
		check_overlap(&r);
	}
	results_free(&r);
	return 0;
}
