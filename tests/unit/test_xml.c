#include "tests/unit/harness.h"

#include "src/text/xml.h"

static void check(const char *text, const char *expected)
{
	char *printed = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&printed, &size);

	if (!to)
		abort();
	xml_print_text(to, text);
	fclose(to);
	CHECK_STR(printed, expected);
	free(printed);
}

static void test_markup(void)
{
	check("", "");
	check(NULL, "");
	check("main", "main");
	check("std::vector<a&&>::at", "std::vector&lt;a&amp;&amp;&gt;::at");
	check("\" onload='x'", "&quot; onload=&#39;x&#39;");
	check("]]>", "]]&gt;");
	check("&lt;", "&amp;lt;");
	check("größe", "größe");
}

/* What XML 1.0 does not allow in a document, in whatever form. */
static void test_forbidden(void)
{
	check("a\001b", "a\\x01b");
	check("a\nb\tc\r", "a\\x0ab\\x09c\\x0d");
	check("\177", "\\x7f");
	check("\xff<", "\\xff&lt;");
	check("\xed\xa0\x80", "\\xed\\xa0\\x80"); /* half a surrogate pair */
	check("\xef\xbf\xbe\xef\xbf\xbf\xef\xbf\xbd", "\\xef\\xbf\\xbe\\xef\\xbf\\xbf\xef\xbf\xbd");
	check("\xe2\x80\xae", "\\xe2\\x80\\xae"); /* turns the direction of writing */
	check("\xf0\x9f\x92\xa9", "\xf0\x9f\x92\xa9");
}

TEST_MAIN("xml", { "markup", test_markup }, { "forbidden characters", test_forbidden })
