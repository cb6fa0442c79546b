/*
 * Cases of a benchmark: parts of a program that irdiff measures one by one.
 *
 *	#include <irdiff.h>
 *
 *	IRDIFF_CASE("parse/small")
 *		irdiff_keep(parse(small));
 *
 * or, equivalently,
 *
 *	irdiff_begin();
 *	irdiff_keep(parse(small));
 *	irdiff_end("parse/small");
 *
 * Each case has its own profile, which contains only what ran between begin and end. Costs of
 * cases with the same name are added. Simulated caches are cold when a case begins. Cases cannot
 * be nested and cannot overlap in threads; all threads of the program are counted. A case that is
 * left by break, return, goto, longjmp or an exception does not end. Neither does a case of
 * irdiff_begin that is left by continue; IRDIFF_CASE is a loop itself, so continue ends its case.
 * A case that ends without having begun counts nothing. A case that has not ended when the next
 * one begins is dropped with a warning. Begin and end must be in the same program or library.
 *
 * irdiff_begin and irdiff_end add one counted instruction, a jump; without optimization they add
 * about five, IRDIFF_CASE nine. Outside Valgrind a pair executes about thirty instructions without
 * effect. It compiles to nothing if NVALGRIND is defined, or if this file does not support the
 * machine and Valgrind's own headers are missing.
 *
 * Requires C99 or C++98 and GCC, Clang or another compiler with their inline assembly. You may
 * copy this file into any project, under any licence (CC0).
 *
 * Requests to Valgrind are part of its stable interface (see "The Client Request mechanism" in its
 * manual): a sequence of instructions without effect, with the address of six words in a register.
 * The first word is the request; callgrind's requests begin at 'C' << 24 | 'T' << 16.
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
	IRDIFF_ZERO_ = 0x43540001, /* 'C', 'T', and the request to callgrind */
	IRDIFF_DUMP_AT_ = 0x43540003,
	IRDIFF_START_ = 0x43540004,
	IRDIFF_STOP_ = 0x43540005
};

/* Whether a case has begun; shared by all files of a program or library. */
#ifdef __cplusplus
extern "C" {
#endif
extern int irdiff_begun_ __attribute__((weak));
int irdiff_begun_ __attribute__((weak));
#ifdef __cplusplus
}
#endif

/* Prepared in advance, so that only the request itself is counted. */
static const uintptr_t irdiff_start_[6] = { IRDIFF_START_, 0, 0, 0, 0, 0 };
static const uintptr_t irdiff_stop_[6] = { IRDIFF_STOP_, 0, 0, 0, 0, 0 };

IRDIFF_INLINE_ uintptr_t irdiff_ask_(uintptr_t what, const void *text)
{
	const uintptr_t words[6] = { what, (uintptr_t)text, 0, 0, 0, 0 };
	uintptr_t answer = 0;

	IRDIFF_ASK_(words, answer);
	return answer;
}

/* Whether the program runs under Valgrind, where a benchmark need not repeat its work. */
IRDIFF_INLINE_ int irdiff_running(void)
{
	return irdiff_ask_(IRDIFF_RUNNING_, NULL) != 0;
}

/* The case is counted from here on. */
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

/* Ends the current case and names it; at most 400 bytes of the name are kept. */
IRDIFF_INLINE_ void irdiff_end(const char *name)
{
	irdiff_pause_();
	irdiff_keep_as_(name);
}

#else /* requests are not supported */

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

/* Makes the next statement a case. This is a loop with one iteration: inside the statement,
 * `continue` ends the case instead of continuing an enclosing loop, and `break` leaves the case
 * without ending it. */
#define IRDIFF_CASE(name) \
	for (int irdiff_once_ = (irdiff_begin(), 1); irdiff_once_; \
	     irdiff_once_ = (irdiff_end(name), 0))

/* Keeps the compiler from removing the computation of an unused value. */
#ifdef IRDIFF_SPEAKS_GNU_
#define irdiff_keep(value) \
	do { \
		__typeof__(value) irdiff_kept_ = (value); \
		__asm__ volatile("" : : "g"(&irdiff_kept_) : "memory"); \
	} while (0)
#else
#define irdiff_keep(value) ((void)(value))
#endif

/* Hides the value of a number or pointer from the compiler, so that computations that use it happen
 * at run time, every time. */
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
