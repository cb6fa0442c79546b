/*
 * Functions that are inlined in the ways that make it hard to tell how often they are called:
 * with loops of their own, in loops, several times, into each other and in part. The first argument
 * is how often each is called, the second how often of that the table is searched.
 */
#include <stdio.h>
#include <stdlib.h>

#define SIZE 1024

static unsigned keys[SIZE], state = 12345;
static int values[SIZE];

static inline unsigned draw(void)
{
	state = state * 1103515245u + 12345u;
	return state >> 8;
}

static inline unsigned hash(unsigned key)
{
	key ^= key >> 7;
	return key * 2654435761u;
}

static inline unsigned probe(unsigned key)
{
	unsigned at = hash(key) % SIZE;

	while (keys[at] && keys[at] != key)
		at = (at + 1) % SIZE;
	return at;
}

static inline void put(unsigned key, int value)
{
	unsigned at = probe(key);

	keys[at] = key;
	values[at] = value;
}

static inline int get(unsigned key)
{
	unsigned at = probe(key);

	return keys[at] ? values[at] : -1;
}

static inline int is_even(int n)
{
	return (n & 1) == 0;
}

static inline int count_steps(int n)
{
	int steps = 0;

	while (n > 1) {
		if (is_even(n))
			n /= 2;
		else
			n = 3 * n + 1;
		steps++;
	}
	return steps;
}

/* All of it is a loop. */
static inline int add_digits(int n)
{
	int sum = 0;

	do {
		sum += n & 3;
		n >>= 2;
	} while (n);
	return sum;
}

static inline int divisor(int a, int b)
{
	return b ? divisor(b, a % b) : a;
}

static inline int rarely(int n)
{
	if (__builtin_expect(n % 97 == 0, 0)) {
		printf("%d\n", n);
		return n / 97;
	}
	return 0;
}

static inline const char *skip_blanks(const char *text)
{
	while (*text == ' ')
		text++;
	return text;
}

static inline int is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static int parse(const char *text)
{
	int sum = 0;

	while (*text) {
		text = skip_blanks(text);
		if (is_digit(*text)) {
			int n = 0;
			while (is_digit(*text))
				n = n * 10 + *text++ - '0';
			sum += n;
		} else if (*text) {
			text++;
		}
	}
	return sum;
}

static inline int small(int n)
{
	return n * 7 % 11;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0, searches = argc > 2 ? atoi(argv[2]) : 0;
	int row[8];
	long sum = 0;

	for (int i = 0; i < n; i++)
		put(draw() % 700 + 1, i);
	for (int i = 0; i < searches; i++)
		sum += get(draw() % 900 + 1);
	for (int i = 0; i < n; i++)
		sum += count_steps(i + n);
	for (int i = 0; i < n; i++)
		sum += add_digits(i);
	for (int i = 0; i < n; i++)
		sum += divisor(i + 3, 2 * i + 7) + rarely(i);
	for (int i = 0; i < n / 8; i++) {
		for (int k = 0; k < 8; k++)
			row[k] = small(k + i);
		sum += row[i % 8];
	}
	for (int i = 0; i < 50; i++)
		sum += parse("12 34 ab  56  7 x 999   1");
	printf("%ld\n", sum);
	return 0;
}
