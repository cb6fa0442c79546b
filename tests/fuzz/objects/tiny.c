static volatile int sink;
static inline __attribute__((always_inline)) int twice(int x)
{
	return x * 2 + sink;
}
static inline __attribute__((always_inline)) int mix(int x)
{
	int y = twice(x);
	{
		int z = twice(y + 1);
		y ^= z;
	}
	return y;
}
__attribute__((noinline)) int outer(int x)
{
	return mix(x) + mix(x + 3);
}
void _start(void)
{
	sink = outer(sink);
	for (;;)
		;
}
