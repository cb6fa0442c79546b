/* What every header of the library begins with: how its functions are linked, and which version
 * this is. */
#ifndef CGPROFILE_API_H
#define CGPROFILE_API_H

/* Around declarations: functions of C, and exported by the shared library, which exports nothing
 * else. */
#ifdef __cplusplus
#define CG_BEGIN_DECLS \
	_Pragma("GCC visibility push(default)") extern "C" \
	{
#define CG_END_DECLS \
	} \
	_Pragma("GCC visibility pop")
#else
#define CG_BEGIN_DECLS _Pragma("GCC visibility push(default)")
#define CG_END_DECLS _Pragma("GCC visibility pop")
#endif

/* The version of the headers that a program is compiled with. */
#define CG_VERSION_MAJOR 0
#define CG_VERSION_MINOR 1
#define CG_VERSION_PATCH 0
#define CG_VERSION "0.1.0"
/* To compare with: #if CG_VERSION_NUMBER >= 200 is 0.2.0 or later. */
#define CG_VERSION_NUMBER (CG_VERSION_MAJOR * 10000 + CG_VERSION_MINOR * 100 + CG_VERSION_PATCH)

CG_BEGIN_DECLS

/* The version of the library that the program runs with, "0.1.0". Static text. */
const char *cg_version(void);

CG_END_DECLS

#endif
