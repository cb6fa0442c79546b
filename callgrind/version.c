#include "cgprofile/api.h"

const char *cg_version(void)
{
	return CG_VERSION;
}
