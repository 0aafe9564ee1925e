// Go: goroutines on split stacks, channels, maps, interfaces, a panic that a signal raised.

package main

import (
	"errors"
	"fmt"
	"os"
	"sort"
	"strings"
	"sync"
)

type shape interface{ area() int }
type square struct{ n int }

func (s square) area() int { return s.n * s.n }

func deep(n int) int {
	var room [500]int
	room[n%500] = n
	if n == 0 {
		return 1
	}
	return deep(n-1) + room[n%500]
}
func recovers(p *square) (s string) {
	defer func() { s = fmt.Sprint("recovered ", recover() != nil) }()
	return fmt.Sprint(p.n)
}
func main() {
	var wg sync.WaitGroup
	ch := make(chan int, 10)
	for i := 0; i < 20; i++ {
		wg.Add(1)
		go func(i int) {
			defer wg.Done()
			s := 0
			for k := 0; k < 1000; k++ {
				s += k * i % 7
			}
			ch <- s + deep(50*i)
		}(i)
	}
	go func() { wg.Wait(); close(ch) }()
	var all []int
	for x := range ch {
		all = append(all, x)
	}
	sort.Ints(all)
	fmt.Println(all)
	m := map[string]int{}
	for i := 0; i < 100; i++ {
		m[strings.Repeat("x", i%13)] += i
	}
	fmt.Println(m, deep(10000))
	fmt.Println(recovers(nil))
	var s shape = square{4}
	fmt.Println(s.area(), errors.New("e"))
	os.Exit(6)
}
