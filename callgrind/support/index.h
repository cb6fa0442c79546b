/*
 * A hash index from any key to a 32-bit id, where the caller keeps the keys.
 * Id 0 means "not there", so tables that use an index leave their slot 0 empty.
 */
#ifndef CG_SUPPORT_INDEX_H
#define CG_SUPPORT_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "cgprofile/strings.h"

/* One of struct cg_index. */
struct cg_index_slot {
	uint32_t hash;
	uint32_t id;
};

/* Makes sure that one more id can be inserted. Returns CG_OK or CG_ENOMEM. */
int cg_index_reserve(struct cg_index *x);

/* Inserts an id that is not in the index yet; cg_index_reserve must have succeeded. */
void cg_index_insert(struct cg_index *x, uint32_t hash, uint32_t id);

void cg_index_free(struct cg_index *x);

/* The id with this hash for which `same` returns true, else 0. Inline, so that the compiler sees
 * through `same`. */
static inline uint32_t cg_index_find(const struct cg_index *x, uint32_t hash,
				     bool (*same)(const void *context, uint32_t id),
				     const void *context)
{
	if (!x->slots)
		return 0;
	for (size_t i = hash & x->mask; x->slots[i].id; i = (i + 1) & x->mask)
		if (x->slots[i].hash == hash && same(context, x->slots[i].id))
			return x->slots[i].id;
	return 0;
}

/* Asks the processor to have ready where cg_index_find will begin to look. */
static inline void cg_index_prefetch(const struct cg_index *x, uint32_t hash)
{
	if (x->slots)
		__builtin_prefetch(&x->slots[hash & x->mask]);
}

/* The id that is there, which is mostly the one that cg_index_find will find; 0: none. */
static inline uint32_t cg_index_first(const struct cg_index *x, uint32_t hash)
{
	return x->slots ? x->slots[hash & x->mask].id : 0;
}

/* Mixes one more number into a hash. Start with any number: the first multiplication
 * keeps pairs such as (i, i + 1) apart, which differ in nothing once they are xored. */
static inline uint64_t cg_hash_mix(uint64_t hash, uint64_t number)
{
	hash = (hash * UINT64_C(0xff51afd7ed558ccd) ^ number) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ (hash >> 32);
}

/* The same for all processes, for what is written to files. */
static inline uint32_t cg_checksum(const char *text, size_t len)
{
	uint64_t hash = len, word;
	for (; len >= sizeof word; text += sizeof word, len -= sizeof word) {
		memcpy(&word, text, sizeof word);
		hash = cg_hash_mix(hash, word);
	}
	word = 0;
	memcpy(&word, text, len);
	return (uint32_t)cg_hash_mix(hash, word);
}

/*
 * Input is hostile: with known hashes, a small file could have names or numbers that all share one
 * hash, so that each is compared with all others. Hashes of such keys begin with a number that
 * differs in each process. Ids do not depend on it: they are assigned in the order of insertion,
 * and no code iterates over the slots of an index.
 */
uint64_t cg_hash_secret(void);

/* Mixes one more number into a hash that began with a secret: each bit of either changes
 * about half of the bits of the result. */
static inline uint64_t cg_hash_keyed(uint64_t hash, uint64_t number)
{
	hash = (hash ^ number) * UINT64_C(0xff51afd7ed558ccd);
	hash = (hash ^ hash >> 32) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 32;
}

/* Both halves of a product depend on all bits of both factors. */
static inline uint64_t cg_hash_fold(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;
	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Of texts, which may be long, two words are mixed in at once. */
static inline uint32_t cg_hash_text(uint64_t secret, const char *text, size_t len)
{
	const uint64_t other = secret * UINT64_C(0x9e3779b97f4a7c15) + 1;
	uint64_t hash = secret + len, words[2], word;
	for (; len >= sizeof words; text += sizeof words, len -= sizeof words) {
		memcpy(words, text, sizeof words);
		hash = cg_hash_fold(words[0] ^ hash, words[1] ^ other);
	}
	if (len >= sizeof word) {
		memcpy(&word, text, sizeof word);
		hash = cg_hash_keyed(hash, word);
		text += sizeof word;
		len -= sizeof word;
	}
	word = 0;
	memcpy(&word, text, len);
	return (uint32_t)cg_hash_keyed(hash, word);
}

static inline uint32_t cg_hash_bytes(const char *text, size_t len)
{
	return cg_hash_text(cg_hash_secret(), text, len);
}

/* cg_strings_add, if the text's cg_hash_text with the secret of the table is known. */
int cg_strings_add_hashed(struct cg_strings *s, const char *text, size_t len, uint32_t hash,
			  cg_str *id);

#endif
