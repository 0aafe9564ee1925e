// Go: many goroutines that grow their stacks, the collector, select, timers, panics across them.
package main

import ("fmt"; "os"; "runtime"; "sort"; "strings"; "sync"; "time")

type tree struct { left, right *tree; n int }
func build(d int) *tree { if d == 0 { return &tree{n: 1} }; return &tree{build(d - 1), build(d - 1), d} }
func (t *tree) sum() int { if t == nil { return 0 }; return t.n + t.left.sum() + t.right.sum() }
func deep(n int) int { var room [200]int; room[n%200] = n; if n == 0 { return 0 }; return deep(n-1) + room[n%200] - n + 1 }

func main() {
	var group sync.WaitGroup
	var lock sync.Mutex
	total := 0
	for i := 0; i < 200; i++ {
		group.Add(1)
		go func(i int) {
			defer group.Done()
			defer func() { if r := recover(); r != nil { lock.Lock(); total += 1000; lock.Unlock() } }()
			s := build(6).sum() + deep(300+i)
			if i%10 == 0 { runtime.GC() }
			if i%50 == 0 { var p *tree; s += p.n }
			lock.Lock(); total += s; lock.Unlock()
		}(i)
	}
	group.Wait()
	fmt.Println(total)
	ticks, done := make(chan int), make(chan bool)
	go func() { for i := 0; i < 5; i++ { time.Sleep(time.Millisecond); ticks <- i }; close(done) }()
	sum := 0
loop:
	for { select { case i := <-ticks: sum += i; case <-done: break loop; case <-time.After(20 * time.Second): sum = -1; break loop } }
	words := strings.Fields("the quick brown fox")
	sort.Strings(words)
	fmt.Println(sum, words)
	os.Exit(3)
}
