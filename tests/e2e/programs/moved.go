// Go: what is called may return in another thread.
package main

//extern move
func move()

//extern move_back
func moveBack()

var table [1000]int

func main() {
	sum := 0
	move()
	for i := 0; i < 20000; i++ {
		table[i%1000] += i
		sum += table[(i*7)%1000]
	}
	moveBack()
	println(sum)
}
