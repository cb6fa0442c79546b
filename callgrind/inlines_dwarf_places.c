#include "callgrind/inlines_dwarf_places.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/paths.h"
#include "cgprofile/error.h"

char *cg_dwarf_whole_path(void *unit, const char *file)
{
	Dwarf_Attribute attribute;
	char *joined;
	const char *directory = dwarf_attr(unit, DW_AT_comp_dir, &attribute)
					? dwarf_formstring(&attribute)
					: NULL;
	if (*file == '/' || !directory)
		joined = strdup(file);
	else if (asprintf(&joined, "%s/%s", directory, file) < 0)
		joined = NULL;
	if (joined)
		joined[cg_path_normalise(joined, strlen(joined))] = '\0';
	return joined;
}

/* dwarf_decl_file would end the program if the unit has no table of files. */
int cg_dwarf_find_file(void *of, unsigned attribute, char **path)
{
	Dwarf_Attribute found;
	Dwarf_Word number;
	Dwarf_Half version;
	Dwarf_Die unit;
	Dwarf_Files *files;
	size_t nfiles;

	*path = NULL;
	if (!dwarf_attr_integrate(of, attribute, &found) || dwarf_formudata(&found, &number) != 0 ||
	    dwarf_cu_info(found.cu, &version, NULL, &unit, NULL, NULL, NULL, NULL) != 0 ||
	    dwarf_getsrcfiles(&unit, &files, &nfiles) != 0)
		return CG_OK;
	bool known = number < nfiles && (number > 0 || version >= 5);
	const char *file = known ? dwarf_filesrc(files, number, NULL, NULL) : NULL;
	if (!file)
		return CG_OK;
	*path = cg_dwarf_whole_path(&unit, file);
	return *path ? CG_OK : CG_ENOMEM;
}

uint32_t cg_dwarf_find_line(void *of, unsigned attribute)
{
	Dwarf_Attribute found;
	Dwarf_Word line;

	if (!dwarf_attr_integrate(of, attribute, &found) || dwarf_formudata(&found, &line) != 0 ||
	    line > UINT32_MAX)
		return 0;
	return (uint32_t)line;
}
