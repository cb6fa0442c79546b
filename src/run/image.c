#include "src/run/image.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SCRIPT_HEAD 4096
#define HEADERS_MAX 4096 /* program headers; real files have about a dozen */
#define SECTIONS_MAX 100000
#define NOTES_MAX (64 * 1024)
#define NAMES_MAX (4 * 1024 * 1024)
#define INTERPRETER_MAX 4096
#define BUILD_ID_MAX 64
#define COMMENT_MAX (64 * 1024)
#define COMPILER_MAX 1024

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define NATIVE_DATA ELFDATA2LSB
#else
#define NATIVE_DATA ELFDATA2MSB
#endif

/* The machines whose programs this one runs; Valgrind may support fewer. */
static const uint16_t native_machines[] = {
#if defined __x86_64__
	EM_X86_64, EM_386,
#elif defined __i386__
	EM_386,
#elif defined __aarch64__
	EM_AARCH64, EM_ARM,
#elif defined __arm__
	EM_ARM,
#elif defined __powerpc64__
	EM_PPC64, EM_PPC,
#elif defined __powerpc__
	EM_PPC,
#elif defined __s390x__
	EM_S390,
#elif defined __mips__
	EM_MIPS,
#elif defined __riscv
	EM_RISCV,
#endif
	EM_NONE
};

/* The parts of both ELF classes that matter here, widened. */
struct segment {
	uint32_t type;
	uint64_t offset, address, size, align;
};

struct section {
	uint32_t name, type;
	uint64_t offset, size;
};

struct headers {
	uint64_t phoff, shoff;
	unsigned phnum, shnum, shstrndx;
	size_t phentsize, shentsize;
};

static int damaged(const char *path, struct cg_error *err, const char *what)
{
	return cg_fail(err, CG_ESYNTAX, path, 0, "damaged ELF file: %s", what);
}

static bool read_at(int fd, void *to, size_t len, uint64_t offset)
{
	size_t have = 0;

	if (offset > INT64_MAX - len)
		return false;
	while (have < len) {
		ssize_t n = pread(fd, (char *)to + have, len - have, (off_t)(offset + have));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		have += (size_t)n;
	}
	return true;
}

static int read_headers(int fd, const char *path, struct image *image, struct headers *headers,
			struct cg_error *err)
{
	if (image->bits == 64) {
		Elf64_Ehdr h;
		if (!read_at(fd, &h, sizeof h, 0))
			return damaged(path, err, "its header is cut short");
		image->machine = h.e_machine;
		image->shared = h.e_type == ET_DYN;
		*headers = (struct headers){ h.e_phoff,    h.e_shoff,     h.e_phnum,    h.e_shnum,
					     h.e_shstrndx, h.e_phentsize, h.e_shentsize };
		if (headers->phnum && headers->phentsize != sizeof(Elf64_Phdr))
			return damaged(path, err, "invalid size of program headers");
		if (headers->shentsize != sizeof(Elf64_Shdr))
			headers->shnum = 0;
	} else {
		Elf32_Ehdr h;
		if (!read_at(fd, &h, sizeof h, 0))
			return damaged(path, err, "its header is cut short");
		image->machine = h.e_machine;
		image->shared = h.e_type == ET_DYN;
		*headers = (struct headers){ h.e_phoff,    h.e_shoff,     h.e_phnum,    h.e_shnum,
					     h.e_shstrndx, h.e_phentsize, h.e_shentsize };
		if (headers->phnum && headers->phentsize != sizeof(Elf32_Phdr))
			return damaged(path, err, "invalid size of program headers");
		if (headers->shentsize != sizeof(Elf32_Shdr))
			headers->shnum = 0;
	}
	if (headers->phnum > HEADERS_MAX)
		return damaged(path, err, "too many program headers");
	return CG_OK;
}

static bool read_segment(int fd, const struct image *image, const struct headers *headers,
			 unsigned i, struct segment *segment)
{
	uint64_t at = (uint64_t)i * headers->phentsize;

	if (headers->phoff > UINT64_MAX - at)
		return false;
	at += headers->phoff;
	if (image->bits == 64) {
		Elf64_Phdr h;
		if (!read_at(fd, &h, sizeof h, at))
			return false;
		*segment = (struct segment){ h.p_type, h.p_offset, h.p_vaddr, h.p_filesz,
					     h.p_align };
	} else {
		Elf32_Phdr h;
		if (!read_at(fd, &h, sizeof h, at))
			return false;
		*segment = (struct segment){ h.p_type, h.p_offset, h.p_vaddr, h.p_filesz,
					     h.p_align };
	}
	return true;
}

static bool read_section(int fd, const struct image *image, const struct headers *headers,
			 unsigned i, struct section *section)
{
	uint64_t at = (uint64_t)i * headers->shentsize;

	if (headers->shoff > UINT64_MAX - at)
		return false;
	at += headers->shoff;
	if (image->bits == 64) {
		Elf64_Shdr h;
		if (!read_at(fd, &h, sizeof h, at))
			return false;
		*section = (struct section){ h.sh_name, h.sh_type, h.sh_offset, h.sh_size };
	} else {
		Elf32_Shdr h;
		if (!read_at(fd, &h, sizeof h, at))
			return false;
		*section = (struct section){ h.sh_name, h.sh_type, h.sh_offset, h.sh_size };
	}
	return true;
}

static char *hexadecimal(const unsigned char *bytes, size_t len)
{
	static const char digits[] = "0123456789abcdef";
	char *text = malloc(2 * len + 1);

	if (!text)
		return NULL;
	for (size_t i = 0; i < len; i++) {
		text[2 * i] = digits[bytes[i] >> 4];
		text[2 * i + 1] = digits[bytes[i] & 15];
	}
	text[2 * len] = '\0';
	return text;
}

/* Looks for NT_GNU_BUILD_ID in one note segment; damage just ends the search. */
static int read_notes(int fd, const struct segment *segment, struct image *image,
		      struct cg_error *err)
{
	size_t size = segment->size > NOTES_MAX ? NOTES_MAX : (size_t)segment->size;
	size_t align = segment->align == 8 ? 8 : 4;
	unsigned char *notes = malloc(size ? size : 1);
	int status = CG_OK;

	if (!notes)
		return cg_fail_nomem(err);
	if (!read_at(fd, notes, size, segment->offset))
		goto done;

	size_t at = 0;
	Elf64_Nhdr note; /* the same in both classes */
	while (size - at >= sizeof note) {
		memcpy(&note, notes + at, sizeof note);
		at += sizeof note;
		size_t name = note.n_namesz, text = note.n_descsz;
		if (name > size - at || ((name + align - 1) & ~(align - 1)) > size - at)
			break;
		const unsigned char *owner = notes + at;
		at += (name + align - 1) & ~(align - 1);
		if (text > size - at)
			break;
		if (note.n_type == NT_GNU_BUILD_ID && name == 4 && !memcmp(owner, "GNU", 4) &&
		    text > 0 && text <= BUILD_ID_MAX) {
			image->build_id = hexadecimal(notes + at, text);
			if (!image->build_id)
				status = cg_fail_nomem(err);
			break;
		}
		size_t padded = (text + align - 1) & ~(align - 1);
		if (padded > size - at)
			break;
		at += padded;
	}
done:
	free(notes);
	return status;
}

/* The loader looks for it where it is mapped, and ends at DT_NULL. */
static bool has_dynamic_at(int fd, const struct image *image, const struct headers *headers,
			   const struct segment *dynamic)
{
	bool there = false;

	for (unsigned i = 0; i < headers->phnum; i++) {
		struct segment s;
		if (!read_segment(fd, image, headers, i, &s) || s.type != PT_LOAD ||
		    dynamic->address < s.address || dynamic->address - s.address >= s.size)
			continue;
		there = dynamic->offset == s.offset + (dynamic->address - s.address);
		if (!there)
			break;
	}
	return there;
}

static bool read_tag(int fd, const struct image *image, uint64_t at, int64_t *tag)
{
	Elf64_Dyn d64;
	Elf32_Dyn d32;

	if (image->bits == 64) {
		if (!read_at(fd, &d64, sizeof d64, at))
			return false;
		*tag = d64.d_tag;
	} else {
		if (!read_at(fd, &d32, sizeof d32, at))
			return false;
		*tag = d32.d_tag;
	}
	return true;
}

/* Whether the image certainly names no such library. */
static bool has_no_audit(int fd, const struct image *image, const struct headers *headers,
			 const struct segment *dynamic)
{
	const uint64_t size = image->bits == 64 ? sizeof(Elf64_Dyn) : sizeof(Elf32_Dyn);
	int64_t tag = DT_NULL;
	bool known = dynamic->offset < INT64_MAX / 2 && has_dynamic_at(fd, image, headers, dynamic);

	for (unsigned i = 0; known && i < HEADERS_MAX; i++) {
		known = read_tag(fd, image, dynamic->offset + i * size, &tag);
		if (known && tag == DT_NULL)
			return true;
		known = known && tag != DT_AUDIT && tag != DT_DEPAUDIT;
	}
	return false;
}

static int read_segments(int fd, const char *path, const struct headers *headers,
			 struct image *image, struct cg_error *err)
{
	for (unsigned i = 0; i < headers->phnum; i++) {
		struct segment segment;
		if (!read_segment(fd, image, headers, i, &segment))
			return damaged(path, err, "its program headers are cut short");
		if (segment.type == PT_INTERP && !image->interpreter) {
			if (segment.size == 0 || segment.size > INTERPRETER_MAX)
				return damaged(path, err,
					       "invalid name of its program interpreter");
			char *name = calloc(1, (size_t)segment.size + 1);
			if (!name)
				return cg_fail_nomem(err);
			image->interpreter = name;
			if (!read_at(fd, name, (size_t)segment.size, segment.offset))
				return damaged(path, err,
					       "the name of its program interpreter is cut short");
		} else if (segment.type == PT_DYNAMIC) {
			image->audited |= !has_no_audit(fd, image, headers, &segment);
		} else if (segment.type == PT_NOTE && !image->build_id) {
			int status = read_notes(fd, &segment, image, err);
			if (status)
				return status;
		}
	}
	return CG_OK;
}

/* .comment is a row of NUL-terminated strings, many of them equal. */
static int read_comment(int fd, const struct section *section, struct image *image,
			struct cg_error *err)
{
	size_t size = section->size > COMMENT_MAX ? COMMENT_MAX : (size_t)section->size;
	char *comment = calloc(1, size + 1);
	char *joined = calloc(1, COMPILER_MAX);
	int status = CG_OK;

	if (!comment || !joined) {
		status = cg_fail_nomem(err);
		goto done;
	}
	if (!read_at(fd, comment, size, section->offset))
		goto done;

	size_t used = 0;
	for (size_t at = 0; at < size; at += strlen(comment + at) + 1) {
		const char *part = comment + at;
		if (!*part || strstr(joined, part))
			continue;
		int n = snprintf(joined + used, COMPILER_MAX - used, "%s%s", used ? "; " : "",
				 part);
		if (n < 0 || (size_t)n >= COMPILER_MAX - used)
			break;
		used += (size_t)n;
	}
	for (char *p = joined; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 127)
			*p = ' ';
	if (*joined) {
		image->compiler = joined;
		joined = NULL;
	}
done:
	free(comment);
	free(joined);
	return status;
}

/* Sections are optional and only informative: damage means that they are missing. */
static int read_sections(int fd, const struct headers *headers, struct image *image,
			 struct cg_error *err)
{
	struct section names, section;
	int status = CG_OK;

	if (!headers->shoff || headers->shnum > SECTIONS_MAX ||
	    headers->shstrndx >= headers->shnum ||
	    !read_section(fd, image, headers, headers->shstrndx, &names) || names.size == 0 ||
	    names.size > NAMES_MAX)
		return CG_OK;
	char *text = malloc((size_t)names.size);
	if (!text)
		return cg_fail_nomem(err);
	if (!read_at(fd, text, (size_t)names.size, names.offset))
		goto done;
	text[names.size - 1] = '\0';

	image->stripped = true;
	for (unsigned i = 0; i < headers->shnum; i++) {
		if (!read_section(fd, image, headers, i, &section))
			break;
		image->stripped &= section.type != SHT_SYMTAB;
		if (section.type != SHT_PROGBITS || section.name >= names.size)
			continue;
		image->go |= !strcmp(text + section.name, ".go.buildinfo");
		if (!status && !image->compiler && !strcmp(text + section.name, ".comment"))
			status = read_comment(fd, &section, image, err);
	}
done:
	free(text);
	return status;
}

static int read_elf(int fd, const char *path, const unsigned char *ident, struct image *image,
		    struct cg_error *err)
{
	struct headers headers = { 0 };

	image->kind = IMAGE_ELF;
	image->bits = ident[EI_CLASS] == ELFCLASS64 ? 64 : 32;
	image->foreign = true;
	if (ident[EI_CLASS] != ELFCLASS64 && ident[EI_CLASS] != ELFCLASS32)
		return damaged(path, err, "unknown class");
	if (ident[EI_DATA] != NATIVE_DATA)
		return CG_OK;

	int status = read_headers(fd, path, image, &headers, err);
	if (status)
		return status;
	for (size_t i = 0; native_machines[i] != EM_NONE; i++)
		if (native_machines[i] == image->machine)
			image->foreign = false;
	status = read_segments(fd, path, &headers, image, err);
	if (status)
		return status;
	return read_sections(fd, &headers, image, err);
}

/* "#!  /bin/sh -e\n": the kernel takes one word and the rest as one argument. */
static int parse_script_line(char *head, struct image *image, struct cg_error *err)
{
	image->kind = IMAGE_SCRIPT;

	head[strcspn(head, "\n")] = '\0';
	char *word = head + 2 + strspn(head + 2, " \t");
	size_t len = strcspn(word, " \t");
	char *rest = word + len + strspn(word + len, " \t");
	size_t rest_len = strlen(rest);
	while (rest_len && strchr(" \t\r", rest[rest_len - 1]))
		rest_len--;

	image->interpreter = strndup(word, len);
	if (rest_len)
		image->argument = strndup(rest, rest_len);
	if (!image->interpreter || (rest_len && !image->argument))
		return cg_fail_nomem(err);
	return CG_OK;
}

int image_read(const char *path, struct image *image, struct cg_error *err)
{
	struct image found = { 0 };
	char head[SCRIPT_HEAD + 1];
	struct stat st;
	int status;

	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return cg_fail(err, CG_EIO, path, 0, "cannot open: %s", strerror(errno));
	if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		status = cg_fail(err, CG_EIO, path, 0, "not a regular file");
		goto done;
	}

	ssize_t n = pread(fd, head, SCRIPT_HEAD, 0);
	if (n < 0) {
		status = cg_fail(err, CG_EIO, path, 0, "cannot read: %s", strerror(errno));
		goto done;
	}
	head[n] = '\0';
	if (n >= EI_NIDENT && !memcmp(head, ELFMAG, SELFMAG))
		status = read_elf(fd, path, (const unsigned char *)head, &found, err);
	else if (n >= 2 && head[0] == '#' && head[1] == '!')
		status = parse_script_line(head, &found, err);
	else
		status = CG_OK;
done:
	close(fd);
	if (status == CG_OK)
		*image = found;
	else
		image_free(&found);
	return status;
}

bool image_has_text(const char *path, const char *text)
{
	char buffer[65536];
	size_t len = strlen(text), have = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	bool found = false;
	ssize_t n;

	while (fd >= 0 && !found && (n = read(fd, buffer + have, sizeof buffer - have)) > 0) {
		have += (size_t)n;
		found = memmem(buffer, have, text, len) != NULL;
		size_t kept = have < len - 1 ? have : len - 1;
		memmove(buffer, buffer + have - kept, kept);
		have = kept;
	}
	if (fd >= 0)
		close(fd);
	return found;
}

void image_free(struct image *image)
{
	free(image->interpreter);
	free(image->argument);
	free(image->build_id);
	free(image->compiler);
	*image = (struct image){ 0 };
}
