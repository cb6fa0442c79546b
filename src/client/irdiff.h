/*
 * Cases of a benchmark: what irdiff measures of a program, one by one.
 *
 *	#include <irdiff.h>
 *
 *	IRDIFF_CASE("parse/small")
 *		irdiff_keep(parse(small));
 *
 * or, which is the same,
 *
 *	irdiff_begin();
 *	irdiff_keep(parse(small));
 *	irdiff_end("parse/small");
 *
 * Each case has a profile of its own, with only what ran between its begin and its end: totals,
 * tree and differences. If a name comes again, what it costs is added. Its caches are cold when a
 * case begins, whatever ran before. Cases do not nest, nor overlap in threads; of a program with
 * threads all of them are counted. A case that is left by break, return, goto, longjmp or an
 * exception does not end, nor does one of irdiff_begin that is left by continue; an IRDIFF_CASE is
 * a loop of its own, and continue ends it. One that ends without having begun counts nothing, and
 * one that has not ended when the next begins is dropped, which irdiff says; begin and end must be
 * in one program or library.
 *
 * Of irdiff_begin and irdiff_end themselves one instruction is counted, a jump; where the compiler
 * does not optimise about five, and nine of IRDIFF_CASE. Outside Valgrind a pair is some thirty
 * instructions that have no effect. With NVALGRIND defined, or for a machine that this file does
 * not know and without Valgrind's own headers, it is nothing at all.
 *
 * For C from C99 and C++ from C++98, by GCC, Clang and what understands their inline assembly. This
 * file may be copied into any project, under any licence (CC0).
 *
 * How a program speaks to Valgrind is described in its manual ("The Client Request mechanism") and
 * part of its stable interface: a sequence of instructions that has no effect, with an address of
 * six words in one register. The first word says what is asked for; callgrind's own begin at 'C' <<
 * 24 | 'T' << 16.
 */
#ifndef IRDIFF_H
#define IRDIFF_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__) || defined(__clang__)
#define IRDIFF_INLINE_ static inline __attribute__((always_inline, unused))
#define IRDIFF_SPEAKS_GNU_ 1
#else
#define IRDIFF_INLINE_ static inline
#endif

#if defined(NVALGRIND) || !defined(IRDIFF_SPEAKS_GNU_)
/* Nothing to ask. */
#elif defined(__x86_64__) && defined(__LP64__) && !defined(_WIN32)
#define IRDIFF_ASK_(words, answer) \
	__asm__ volatile("rolq $3, %%rdi\n\trolq $13, %%rdi\n\t" \
			 "rolq $61, %%rdi\n\trolq $51, %%rdi\n\t" \
			 "xchgq %%rbx, %%rbx" \
			 : "+d"(answer) \
			 : "a"(words) \
			 : "cc", "memory")
#elif defined(__i386__) && !defined(_WIN32)
#define IRDIFF_ASK_(words, answer) \
	__asm__ volatile("roll $3, %%edi\n\troll $13, %%edi\n\t" \
			 "roll $29, %%edi\n\troll $19, %%edi\n\t" \
			 "xchgl %%ebx, %%ebx" \
			 : "+d"(answer) \
			 : "a"(words) \
			 : "cc", "memory")
#elif defined(__aarch64__) && !defined(_WIN32)
#define IRDIFF_ASK_(words, answer) \
	do { \
		register const void *irdiff_x4_ __asm__("x4") = (words); \
		register uintptr_t irdiff_x3_ __asm__("x3") = (answer); \
		__asm__ volatile("ror x12, x12, #3\n\tror x12, x12, #13\n\t" \
				 "ror x12, x12, #51\n\tror x12, x12, #61\n\t" \
				 "orr x10, x10, x10" \
				 : "+r"(irdiff_x3_) \
				 : "r"(irdiff_x4_) \
				 : "cc", "memory"); \
		(answer) = irdiff_x3_; \
	} while (0)
#elif defined(__has_include)
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#define IRDIFF_ASK_(words, answer) \
	((answer) = VALGRIND_DO_CLIENT_REQUEST_EXPR((answer), (words)[0], (words)[1], (words)[2], \
						    (words)[3], (words)[4], (words)[5]))
#endif
#endif

#ifdef IRDIFF_ASK_

/* Callgrind counts a run of instructions without a jump when it is left, which a request that stops
 * the counting is too late for. */
#if defined(__x86_64__) || defined(__i386__)
#define IRDIFF_LEAVE_BLOCK_() __asm__ volatile("jmp 1f\n1:" : : : "memory")
#elif defined(__aarch64__)
#define IRDIFF_LEAVE_BLOCK_() __asm__ volatile("b 1f\n1:" : : : "memory")
#else
#define IRDIFF_LEAVE_BLOCK_() ((void)0)
#endif

enum {
	IRDIFF_RUNNING_ = 0x1001,
	IRDIFF_ZERO_ = 0x43540001, /* 'C', 'T', and what is asked of callgrind */
	IRDIFF_DUMP_AT_ = 0x43540003,
	IRDIFF_START_ = 0x43540004,
	IRDIFF_STOP_ = 0x43540005
};

/* Whether a case has begun: one for all files of a program or library. */
#ifdef __cplusplus
extern "C" {
#endif
extern int irdiff_begun_ __attribute__((weak));
int irdiff_begun_ __attribute__((weak));
#ifdef __cplusplus
}
#endif

/* Made before they are needed, so that nothing but the request itself is counted. */
static const uintptr_t irdiff_start_[6] = { IRDIFF_START_, 0, 0, 0, 0, 0 };
static const uintptr_t irdiff_stop_[6] = { IRDIFF_STOP_, 0, 0, 0, 0, 0 };

IRDIFF_INLINE_ uintptr_t irdiff_ask_(uintptr_t what, const void *text)
{
	const uintptr_t words[6] = { what, (uintptr_t)text, 0, 0, 0, 0 };
	uintptr_t answer = 0;

	IRDIFF_ASK_(words, answer);
	return answer;
}

/* Whether the program runs under Valgrind: benchmarks that repeat themselves need not then. */
IRDIFF_INLINE_ int irdiff_running(void)
{
	return irdiff_ask_(IRDIFF_RUNNING_, NULL) != 0;
}

/* From here on, and only from here, the case is counted. */
IRDIFF_INLINE_ void irdiff_begin(void)
{
	uintptr_t answer = 0;

	if (irdiff_begun_)
		(void)irdiff_ask_(IRDIFF_DUMP_AT_, "irdiff, not ended");
	irdiff_begun_ = 1;
	(void)irdiff_ask_(IRDIFF_STOP_, NULL); /* so that caches are empty when it starts */
	(void)irdiff_ask_(IRDIFF_ZERO_, NULL);
	IRDIFF_ASK_(irdiff_start_, answer);
}

IRDIFF_INLINE_ void irdiff_pause_(void)
{
	uintptr_t answer;

	IRDIFF_LEAVE_BLOCK_();
	answer = 0;
	IRDIFF_ASK_(irdiff_stop_, answer);
}

IRDIFF_INLINE_ void irdiff_keep_as_(const char *name)
{
	static const char ends[] = "irdiff: ", never_began[] = "irdiff, not begun: ";
	const char *prefix = ends;
	char text[sizeof never_began + 400];
	size_t used = 0;

	if (!irdiff_begun_)
		prefix = never_began;
	irdiff_begun_ = 0;
	while (prefix[used]) {
		text[used] = prefix[used];
		used++;
	}
	for (; name && *name && used < sizeof text - 1; name++)
		text[used++] = (unsigned char)*name < ' ' ? '?' : *name;
	text[used] = '\0';
	(void)irdiff_ask_(IRDIFF_DUMP_AT_, text);
}

/* The case that has begun last ends here, and is called so. At most 400 bytes of the name are
 * kept. */
IRDIFF_INLINE_ void irdiff_end(const char *name)
{
	irdiff_pause_();
	irdiff_keep_as_(name);
}

#else /* no way to ask */

static inline int irdiff_running(void)
{
	return 0;
}
static inline void irdiff_begin(void)
{
}
static inline void irdiff_end(const char *name)
{
	(void)name;
}

#endif

/* The statement that follows is a case. This is a loop of one round: in the statement `continue`
 * ends the case and does not go on with a loop around it, and `break` leaves the case without
 * ending it. */
#define IRDIFF_CASE(name) \
	for (int irdiff_once_ = (irdiff_begin(), 1); irdiff_once_; \
	     irdiff_once_ = (irdiff_end(name), 0))

/* Keeps the compiler from leaving out what computes a value that nobody uses. */
#ifdef IRDIFF_SPEAKS_GNU_
#define irdiff_keep(value) \
	do { \
		__typeof__(value) irdiff_kept_ = (value); \
		__asm__ volatile("" : : "g"(&irdiff_kept_) : "memory"); \
	} while (0)
#else
#define irdiff_keep(value) ((void)(value))
#endif

/* A number or a pointer of which the compiler does not know that it is this one: what is computed
 * from it is computed when the program runs, and each time again. */
#ifdef IRDIFF_SPEAKS_GNU_
#define irdiff_opaque(value) \
	__extension__({ \
		__typeof__((value) + 0) irdiff_value_ = (value); \
		__asm__ volatile("" : "+m"(irdiff_value_)); \
		irdiff_value_; \
	})
#else
#define irdiff_opaque(value) (value)
#endif

#endif
