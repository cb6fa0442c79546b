/* Called from the other programs; optimised as a whole, it is inlined into them. */
static unsigned rotate(unsigned x, unsigned by)
{
	return x << by | x >> (32 - by);
}

#ifdef __cplusplus
extern "C"
#endif
unsigned mix(unsigned x)
{
	for (unsigned i = 1; i < 4; i++)
		x = rotate(x * 1664525u + 1013904223u, 3 * i);
	return x;
}
