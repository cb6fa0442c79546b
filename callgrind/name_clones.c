#include "callgrind/name_clones.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "callgrind/name_text.h"

static size_t without_clone_note(const char *name, size_t len)
{
	static const char note[] = " [clone ";
	size_t n = sizeof note - 1;

	if (len <= n || name[len - 1] != ']')
		return len;
	for (size_t i = len - n; i > 0; i--)
		if (memcmp(name + i, note, n) == 0)
			return i;
	return len;
}

static size_t without_digits(const char *name, size_t len)
{
	size_t i = len;
	while (i > 0 && isdigit((unsigned char)name[i - 1]))
		i--;
	return i > 1 && i < len && name[i - 1] == '.' ? i - 1 : len;
}

static size_t without_clone_suffix(const char *name, size_t len)
{
	static const char *const numbered[] = { ".constprop",   ".isra",           ".part",
						".cold",        ".llvm",           ".lto_priv",
						".localalias",  ".locality_clone", ".memprof",
						".specialized", ".__uniq" };
	static const char *const bare[] = { ".cold", ".localalias" };
	size_t stem = without_digits(name, len);

	for (size_t i = 0; i < sizeof numbered / sizeof *numbered; i++)
		if (stem < len && cg_name_ends_with(name, stem, numbered[i]))
			return stem - strlen(numbered[i]);
	for (size_t i = 0; i < sizeof bare / sizeof *bare; i++)
		if (cg_name_ends_with(name, len, bare[i]))
			return len - strlen(bare[i]);
	return len;
}

size_t cg_name_without_clone(const char *name, size_t len)
{
	return without_clone_suffix(name, without_clone_note(name, len));
}

size_t cg_name_without_cold(const char *name, size_t len)
{
	static const char note[] = " [clone .cold", suffix[] = ".cold";
	size_t end = len, noted = without_clone_note(name, len);

	if (len - noted >= sizeof note - 1 && memcmp(name + noted, note, sizeof note - 1) == 0)
		return noted;
	end = without_digits(name, len);
	return cg_name_ends_with(name, end, suffix) ? end - (sizeof suffix - 1) : len;
}

size_t cg_name_join_cold(const char *name, size_t name_len, const char *callers, size_t len,
			 char *joined)
{
	const char *callee = name; /* the caller before, or the function itself */
	size_t callee_len = cg_name_without_cold(name, name_len), used = 0;
	bool cold = callee_len < name_len;

	for (size_t at = 0; at < len;) {
		const char *quote = memchr(callers + at, '\'', len - at);
		size_t caller_len = quote ? (size_t)(quote - callers) - at : len - at;
		size_t stem = cg_name_without_cold(callers + at, caller_len);
		bool split = cold && stem == callee_len && memcmp(callers + at, callee, stem) == 0;
		callee = callers + at;
		callee_len = stem;
		cold = stem < caller_len;
		at += caller_len + 1;
		if (split)
			continue;
		if (used)
			joined[used++] = '\'';
		memcpy(joined + used, callee, stem);
		used += stem;
	}
	return used;
}
