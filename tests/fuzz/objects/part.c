/* A second source file; PART is its function. */
static inline __attribute__((always_inline)) int half(int x)
{
	return x / 2;
}

int PART(int x);
int PART(int x)
{
	return half(x) + 1;
}
