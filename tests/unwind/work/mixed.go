// SPDX-License-Identifier: MIT
// Goroutines, a map, a sort with a closure, recursion, a panic that is caught:
// a fixed amount of work.
package main

import (
	"fmt"
	"os"
	"sort"
	"strings"
	"sync"
)

//go:noinline
func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

func caught(n int) (result int) {
	defer func() {
		if r := recover(); r != nil {
			result = r.(int)
		}
	}()
	if n > 10 {
		panic(n)
	}
	return fib(n)
}

func once(i int) int {
	m := make(map[string]int)
	for k := 0; k < 2000; k++ {
		m[fmt.Sprintf("%x", k*7919%2001+i)] = k
	}
	var v []string
	for s := range m {
		v = append(v, strings.ToUpper(s))
	}
	sort.Slice(v, func(a, b int) bool { return v[a] > v[b] })
	return len(v[0]) + fib(18) + caught(i)
}

func main() {
	var all sync.WaitGroup
	sums := make([]int, 4)
	for g := range sums {
		all.Add(1)
		go func(g int) {
			defer all.Done()
			for i := 0; i < 60; i++ {
				sums[g] += once(i)
			}
		}(g)
	}
	all.Wait()
	if sums[0]+sums[3] == 42 {
		os.Exit(1)
	}
}
