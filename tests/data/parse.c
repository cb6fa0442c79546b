#include <string.h>

static int next(const char **at)
{
	return *(*at)++;
}

static int parse(const char *text, char *out)
{
	int tokens = 0;

	while (*text)
		tokens += next(&text) == ' ';
	memcpy(out, text, 1);
	return tokens;
}













int main(void)
{
	char out[1];
	return parse("a b c", out);
}
