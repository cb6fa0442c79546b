/* What the kernel hands to a program that it starts: newer kernels tell more in the auxiliary
 * vector, and the C library and Valgrind look at each entry. */
#include "src/guest/visit.h"

#ifdef REGISTERS_ARCH

#include <elf.h>
#include <stdint.h>

#include "src/guest/memory.h"

#define WORDS_MAX (1u << 20) /* of arguments and environment: no program has as many */
#define ENTRIES_MAX 64

struct auxv_entry {
	uint64_t type, value;
};

/* Entries that all kernels since 3.0 pass, as far as the machine has them. */
static bool is_auxv_told(uint64_t type)
{
	static const uint64_t told[] = { AT_PHDR,   AT_PHENT,  AT_PHNUM,       AT_PAGESZ,
					 AT_BASE,   AT_FLAGS,  AT_ENTRY,       AT_UID,
					 AT_EUID,   AT_GID,    AT_EGID,        AT_PLATFORM,
					 AT_HWCAP,  AT_CLKTCK, AT_SECURE,      AT_RANDOM,
					 AT_HWCAP2, AT_EXECFN, AT_SYSINFO_EHDR };

	for (size_t i = 0; i < sizeof told / sizeof told[0]; i++)
		if (told[i] == type)
			return true;
	return false;
}

/* The address after the next word that is 0; 0: no such word was found. */
static unsigned long after_zero(pid_t tid, unsigned long at)
{
	uint64_t word;

	for (unsigned i = 0; i < WORDS_MAX; i++, at += sizeof word) {
		if (!memory_read(tid, at, &word, sizeof word))
			return 0;
		if (!word)
			return at + sizeof word;
	}
	return 0;
}

/* The 16 bytes that seed the program's own random numbers, such as the hashes of Go and Rust, are
 * the same in every run. */
static void tell_random_bytes(pid_t tid, const struct auxv_entry *entries, size_t count)
{
	static const unsigned char bytes[] = { 0xe2, 0x20, 0xa8, 0x39, 0x7b, 0x1d, 0xcd, 0xaf,
					       0x6e, 0x78, 0x9e, 0x6a, 0xa1, 0xb9, 0x65, 0xf4 };

	for (size_t i = 0; i < count; i++)
		if (entries[i].type == AT_RANDOM)
			memory_write(tid, entries[i].value, bytes, sizeof bytes);
}

void visit_start(pid_t tid)
{
	struct auxv_entry entries[ENTRIES_MAX];
	struct registers registers;
	size_t count = 0, kept = 0;

	if (!registers_get(tid, &registers))
		return;
	/* The stack holds the number of arguments, the arguments, 0, the environment, 0, and the
	 * vector. */
	unsigned long at = after_zero(tid, registers_top(&registers) + sizeof(uint64_t));
	at = at ? after_zero(tid, at) : 0;
	do {
		if (!at || count == ENTRIES_MAX ||
		    !memory_read(tid, at + count * sizeof *entries, &entries[count],
				 sizeof *entries))
			return;
	} while (entries[count++].type != AT_NULL);
	tell_random_bytes(tid, entries, count);
	for (size_t i = 0; i + 1 < count; i++)
		if (is_auxv_told(entries[i].type))
			entries[kept++] = entries[i];
	for (; kept < count; kept++)
		entries[kept] = (struct auxv_entry){ AT_NULL, 0 };
	memory_write(tid, at, entries, count * sizeof *entries);
}

#else
typedef int start_unknown; /* a translation unit is not empty */
#endif
