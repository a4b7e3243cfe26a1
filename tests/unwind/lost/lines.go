// SPDX-License-Identifier: MIT
// lines: strings, maps, sorting, copies; leaves without frames.
package main

import (
	"bytes"
	"sort"
	"strings"
)

var sink int

//go:noinline
func hash(s string) uint32 {
	h := uint32(5381)
	for i := 0; i < len(s); i++ {
		h = h*33 + uint32(s[i])
	}
	return h
}

//go:noinline
func count(words []string) map[uint32]int {
	m := map[uint32]int{}
	for _, w := range words {
		m[hash(w)%512]++
	}
	return m
}

//go:noinline
func find(t []byte) int { return bytes.IndexByte(t, 'z') + bytes.Count(t, []byte("b")) }

//go:noinline
func move(to, from []byte) { copy(to, from) }

//go:noinline
func same(a, b []byte) bool { return bytes.Equal(a, b) }

//go:noinline
func order(words []string) {
	w := append([]string(nil), words...)
	sort.Strings(w)
	sink += len(w[0])
}

func main() {
	text := []byte(strings.Repeat("a few words about nothing, ", 3000))
	other := append([]byte(nil), text...)
	words := strings.Fields(string(text))[:4000]
	for i := 0; i < 3000; i++ {
		sink += len(count(words)) + find(text)
		for k := 0; k < 40; k++ {
			move(other, text)
			if same(other, text) {
				sink++
			}
		}
		if i%8 == 0 {
			order(words)
		}
	}
}
