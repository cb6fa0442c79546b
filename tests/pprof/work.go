// Usage: work PREFIX SIZE: writes profiles of what it does to PREFIX.cpu, PREFIX.heap and PREFIX.allocs.
package main

import (
	"context"
	"fmt"
	"os"
	"runtime/pprof"
	"strconv"
)

type node struct {
	next *node
	data []byte
}

//go:noinline
func list(length, size int) (head *node) {
	for i := 0; i < length; i++ {
		head = &node{head, make([]byte, size)}
	}
	return head
}

// It is inlined.
func pair(size int) [2]*node {
	return [2]*node{list(20, size), list(30, size)}
}

//go:noinline
func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

func square(x int) (sum int) {
	for i := 0; i < 1000; i++ {
		sum += x * i
	}
	return sum
}

//go:noinline
func spin(times int) (sum int) {
	for i := 0; i < times; i++ {
		sum += square(sum) + fib(25)
	}
	return sum
}

var kept [3]any

func try(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	size, err := strconv.Atoi(os.Args[2])
	try(err)
	cpu, err := os.Create(os.Args[1] + ".cpu")
	try(err)
	try(pprof.StartCPUProfile(cpu))
	pprof.Do(context.Background(), pprof.Labels("worker", "one"), func(context.Context) {
		kept[0] = spin(size / 4)
	})
	pprof.StopCPUProfile()
	try(cpu.Close())
	kept[1] = list(2000, size)
	kept[2] = pair(100 * size)
	list(400, 50*size)
	for _, kind := range []string{"heap", "allocs"} {
		file, err := os.Create(os.Args[1] + "." + kind)
		try(err)
		try(pprof.Lookup(kind).WriteTo(file, 0))
		try(file.Close())
	}
}
