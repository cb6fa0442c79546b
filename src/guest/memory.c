#include "src/guest/memory.h"

#include <errno.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

#define PAGE 4096 /* a part of a page of any size */

/* Reads word by word, for sandboxes that refuse the call that reads all at once. */
static bool peek_words(pid_t tid, unsigned long address, char *to, size_t size)
{
	for (size_t done = 0; done < size;) {
		unsigned long from = address + done, at = from % sizeof(long);
		errno = 0;
		long word = ptrace(PTRACE_PEEKDATA, tid, (void *)(from - at), NULL);
		if (errno)
			return false;
		size_t n = sizeof word - at;
		if (n > size - done)
			n = size - done;
		memcpy(to + done, (char *)&word + at, n);
		done += n;
	}
	return true;
}

static bool write_words(pid_t tid, unsigned long address, const char *from, size_t size)
{
	for (size_t done = 0; done < size;) {
		unsigned long to = address + done, at = to % sizeof(long);
		long word;
		if (!peek_words(tid, to - at, (char *)&word, sizeof word))
			return false;
		size_t n = sizeof word - at;
		if (n > size - done)
			n = size - done;
		memcpy((char *)&word + at, from + done, n);
		if (ptrace(PTRACE_POKEDATA, tid, (void *)(to - at), (void *)word))
			return false;
		done += n;
	}
	return true;
}

static bool is_refused(void)
{
	return errno == ENOSYS || errno == EPERM;
}

bool memory_read(pid_t tid, unsigned long address, void *to, size_t size)
{
	struct iovec here = { to, size }, there = { (void *)address, size };

	if (process_vm_readv(tid, &here, 1, &there, 1, 0) == (ssize_t)size)
		return true;
	return is_refused() && peek_words(tid, address, to, size);
}

bool memory_write(pid_t tid, unsigned long address, const void *from, size_t size)
{
	char *text = (char *)(unsigned long)from; /* which is only read */
	struct iovec here = { text, size }, there = { (void *)address, size };

	if (process_vm_writev(tid, &here, 1, &there, 1, 0) == (ssize_t)size)
		return true;
	return is_refused() && write_words(tid, address, from, size);
}

/* Reads page by page, as the page after the text may not exist. */
bool memory_read_text(pid_t tid, unsigned long address, char *to, size_t size)
{
	for (size_t done = 0; done < size;) {
		size_t n = PAGE - (address + done) % PAGE;
		if (n > size - done)
			n = size - done;
		if (!memory_read(tid, address + done, to + done, n))
			return false;
		if (memchr(to + done, '\0', n))
			return true;
		done += n;
	}
	return false;
}
