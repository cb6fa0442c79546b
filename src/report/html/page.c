#include <string.h>

#include "src/report/html/page_data.h"
#include "src/text/xml.h"

/* data/page; what browsers are to trust is known by its SHA-256, in base64. */
extern const char page_template[], page_style[], page_script[];
extern const char page_style_hash[], page_script_hash[];

static int print_page_title(const struct page_report *r, FILE *to)
{
	xml_print_text(to, r->title);
	return CG_OK;
}

static int print_style(const struct page_report *r, FILE *to)
{
	(void)r;
	fputs(page_style, to);
	return CG_OK;
}

static int print_script(const struct page_report *r, FILE *to)
{
	(void)r;
	fputs(page_script, to);
	return CG_OK;
}

/* Nothing may be loaded from anywhere, and nothing may run but our script. */
static int print_policy(const struct page_report *r, FILE *to)
{
	(void)r;
	fprintf(to,
		"default-src 'none'; script-src 'sha256-%s'; style-src 'sha256-%s'; "
		"img-src data:; base-uri 'none'; form-action 'none'",
		page_script_hash, page_style_hash);
	return CG_OK;
}

static const struct page_place {
	const char *mark;
	int (*print)(const struct page_report *r, FILE *to);
} places[] = {
	{ "@CSP@", print_policy },     { "@TITLE@", print_page_title }, { "@STYLE@", print_style },
	{ "@DATA@", page_data_write }, { "@SCRIPT@", print_script },
};

int page_html(const struct page_report *r, FILE *to)
{
	const char *at = page_template;
	int status = CG_OK;

	while (!status && *at) {
		const struct page_place *p = NULL;
		for (size_t i = 0; i < sizeof places / sizeof *places && !p; i++)
			if (strncmp(at, places[i].mark, strlen(places[i].mark)) == 0)
				p = &places[i];
		if (p) {
			status = p->print(r, to);
			at += strlen(p->mark);
		} else {
			fputc(*at++, to);
		}
	}
	return status;
}
