#include "tests/unit/harness.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "callgrind/inlines_dwarf_stubs.h"
#include "cgprofile/error.h"

/* An object of few sections, whose code and stubs are loaded at 0x1400. */
enum { SLOT = 0x3018, CODE = 0x1400 };
enum { NO_SECTION, SYMBOLS, NAMES, RELOCATIONS, STUB_SECTION, SECTION_NAMES, SECTIONS };

struct object_file {
	Elf64_Ehdr header;
	Elf64_Phdr load;
	Elf64_Shdr sections[SECTIONS];
	Elf64_Sym symbols[3];
	Elf64_Rela relocations[2];
	char names[32], section_names[32];
	unsigned char code[16], stubs[32];
};

static Elf64_Shdr section_at(unsigned name, Elf64_Word type, uint64_t offset, uint64_t size)
{
	return (Elf64_Shdr){
		.sh_name = name, .sh_type = type, .sh_offset = offset, .sh_size = size
	};
}

static void fill_object(struct object_file *o, Elf64_Half machine, const char *section)
{
	*o = (struct object_file){
		.header = { .e_type = ET_DYN,
			    .e_machine = machine,
			    .e_version = EV_CURRENT,
			    .e_phoff = offsetof(struct object_file, load),
			    .e_shoff = offsetof(struct object_file, sections),
			    .e_ehsize = sizeof o->header,
			    .e_phentsize = sizeof o->load,
			    .e_phnum = 1,
			    .e_shentsize = sizeof *o->sections,
			    .e_shnum = SECTIONS,
			    .e_shstrndx = SECTION_NAMES },
		.load = { .p_type = PT_LOAD,
			  .p_flags = PF_R | PF_X,
			  .p_offset = offsetof(struct object_file, code),
			  .p_vaddr = CODE,
			  .p_filesz = sizeof o->code,
			  .p_memsz = sizeof o->code },
		.symbols = { { 0 }, { .st_name = 1 }, { .st_name = 8 } },
		.relocations = { { .r_offset = SLOT - 8, .r_info = ELF64_R_INFO(1, 7) },
				 { .r_offset = SLOT, .r_info = ELF64_R_INFO(2, 7) } },
		.names = "\0strlen\0memcpy",
	};
	memcpy(o->header.e_ident, ELFMAG, SELFMAG);
	o->header.e_ident[EI_CLASS] = ELFCLASS64;
	o->header.e_ident[EI_DATA] = ELFDATA2LSB;
	o->header.e_ident[EI_VERSION] = EV_CURRENT;
	snprintf(o->section_names + 1, sizeof o->section_names - 1, "%s", section);
	o->sections[SYMBOLS] = section_at(0, SHT_DYNSYM, offsetof(struct object_file, symbols),
					  sizeof o->symbols);
	o->sections[SYMBOLS].sh_link = NAMES;
	o->sections[SYMBOLS].sh_entsize = sizeof *o->symbols;
	o->sections[NAMES] = section_at(0, SHT_STRTAB, offsetof(struct object_file, names),
					sizeof o->names);
	o->sections[RELOCATIONS] = section_at(
		0, SHT_RELA, offsetof(struct object_file, relocations), sizeof o->relocations);
	o->sections[RELOCATIONS].sh_link = SYMBOLS;
	o->sections[RELOCATIONS].sh_entsize = sizeof *o->relocations;
	o->sections[STUB_SECTION] = section_at(1, SHT_PROGBITS, offsetof(struct object_file, stubs),
					       sizeof o->stubs);
	o->sections[STUB_SECTION].sh_addr = CODE + sizeof o->code;
	o->sections[STUB_SECTION].sh_flags = SHF_ALLOC | SHF_EXECINSTR;
	o->sections[SECTION_NAMES] = section_at(0, SHT_STRTAB,
						offsetof(struct object_file, section_names),
						sizeof o->section_names);
	o->load.p_filesz = o->load.p_memsz = sizeof o->code + sizeof o->stubs;
}

/* The name found at an address of the file; "" for none. */
static void check_stub(const void *bytes, size_t size, uint64_t address, bool is_call,
		       const char *expected)
{
	char path[] = "/tmp/irdiff-stubs.XXXXXX";
	struct cg_stub stub = { .address = address, .is_call = is_call };
	struct cg_strings strings = { 0 };
	int fd = mkstemp(path);

	REQUIRE(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
	close(fd);
	REQUIRE_INT(cg_strings_init(&strings), CG_OK);
	CHECK_INT(cg_dwarf_name_stubs(path, &stub, 1, &strings), CG_OK);
	CHECK_STR(cg_strings_get(&strings, stub.name), expected);
	cg_strings_free(&strings);
	unlink(path);
}

static void store(unsigned char *at, uint32_t n)
{
	for (int i = 0; i < 4; i++)
		at[i] = (unsigned char)(n >> 8 * i);
}

enum { STUB = CODE + 16, SECOND = STUB + 16 };

/* call *; endbr64; bnd jmp *slot(%rip) */
static struct object_file amd64_object(const char *section)
{
	static const unsigned char start[] = { 0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25 };
	struct object_file o;

	fill_object(&o, EM_X86_64, section);
	o.code[2] = 0xe8;
	store(o.code + 3, STUB - (CODE + 7));
	memcpy(o.stubs, start, sizeof start);
	store(o.stubs + 7, SLOT - (STUB + 11));
	o.stubs[16] = 0xff;
	o.stubs[17] = 0x25;
	store(o.stubs + 18, (uint32_t)(SLOT - 8 - (SECOND + 6)));
	return o;
}

static void test_amd64(void)
{
	struct object_file o = amd64_object(".plt.sec");

	check_stub(&o, sizeof o, STUB, false, "memcpy@plt");
	check_stub(&o, sizeof o, SECOND, false, "strlen@plt");
	check_stub(&o, sizeof o, CODE + 2, true, "memcpy@plt");
	o.code[2] = 0xe9; /* a jump in the place of a call */
	check_stub(&o, sizeof o, CODE + 2, true, "memcpy@plt");
	check_stub(&o, sizeof o, CODE + 3, true, "");  /* no call */
	check_stub(&o, sizeof o, STUB + 1, false, ""); /* no stub */
	check_stub(&o, sizeof o, 0x9999, true, "");
}

/* What looks like a stub and is elsewhere, a symbol that is not there, an object that was cut. */
static void test_others(void)
{
	struct object_file o = amd64_object(".text");

	check_stub(&o, sizeof o, STUB, false, "");
	o = amd64_object(".plt.got");
	o.relocations[1].r_info = ELF64_R_INFO(77, 7);
	check_stub(&o, sizeof o, STUB, false, "");
	check_stub(&o, sizeof o, SECOND, false, "strlen@plt");
	for (size_t size = 0; size < sizeof o - 1; size += 7)
		check_stub(&o, size, STUB, false, "");
	o.header.e_machine = EM_386;
	check_stub(&o, sizeof o, SECOND, false, "");
}

/* bl; adrp x16, 0x3000; ldr x17, [x16, 0x18] */
static void test_arm64(void)
{
	struct object_file o;

	fill_object(&o, EM_AARCH64, ".plt");
	store(o.code, 0x94000000 | (STUB - CODE) / 4);
	store(o.code + 4, 0x14000000 | ((SECOND - (CODE + 4)) / 4));
	store(o.stubs, 0xd0000010);
	store(o.stubs + 4, 0xf9400211 | (SLOT & 0xfff) / 8 << 10);
	store(o.stubs + 16, 0xd503245f);
	store(o.stubs + 20, 0xd0000010);
	store(o.stubs + 24, 0xf9400211 | ((SLOT - 8) & 0xfff) / 8 << 10);
	check_stub(&o, sizeof o, STUB, false, "memcpy@plt");
	check_stub(&o, sizeof o, CODE, true, "memcpy@plt");
	check_stub(&o, sizeof o, CODE + 4, true, "strlen@plt");
	check_stub(&o, sizeof o, STUB + 4, false, "");
}

TEST_MAIN("inlines_stubs", { "x86-64", test_amd64 }, { "what is no stub", test_others },
	  { "ARM64", test_arm64 })
