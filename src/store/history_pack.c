#include "src/store/history_database.h"

size_t history_pack(const struct history_count *counts, size_t n, unsigned char *to)
{
	unsigned char *begin = to;

	for (size_t i = 0; i < n; i++) {
		uint64_t sign = counts[i].count < 0 ? UINT64_MAX : 0;
		uint64_t rest = (uint64_t)counts[i].count << 1 ^ sign;
		for (; rest >= 0x80; rest >>= 7)
			*to++ = (unsigned char)(rest | 0x80);
		*to++ = (unsigned char)rest;
	}
	return (size_t)(to - begin);
}

bool history_unpack(const unsigned char *bytes, size_t size, int64_t *counts, size_t n)
{
	const unsigned char *at = bytes, *end = bytes + size;

	for (size_t i = 0; i < n; i++) {
		uint64_t value = 0;
		unsigned shift = 0;
		do {
			uint64_t part = at == end ? 0 : *at & 0x7f;
			bool is_last = at == end || *at < 0x80;
			if (at == end || shift > 63 || (part << shift) >> shift != part ||
			    (is_last && shift && !part))
				return false;
			value |= part << shift;
			shift += 7;
		} while (*at++ & 0x80);
		counts[i] = (int64_t)(value >> 1 ^ (value & 1 ? UINT64_MAX : 0));
	}
	return at == end;
}
