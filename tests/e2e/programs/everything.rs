// gccrs has no core library yet: what it needs of it stands here.
#![feature(no_core)]
#![feature(lang_items)]
#![no_core]

#[lang = "sized"]
pub trait Sized {}

#[lang = "add"]
pub trait Add<Rhs = Self> {
    type Output;
    fn add(self, rhs: Rhs) -> Self::Output;
}
impl Add for i32 {
    type Output = i32;
    fn add(self, other: i32) -> i32 {
        self + other
    }
}

extern "C" {
    fn printf(s: *const i8, ...) -> i32;
    fn atoi(s: *const i8) -> i32;
}

struct Point {
    x: i32,
    y: i32,
}

trait Size {
    fn size(&self) -> i32;
}
impl Size for Point {
    fn size(&self) -> i32 {
        self.x + self.y
    }
}

fn number(text: &str) -> i32 {
    unsafe { atoi(text as *const str as *const i8) }
}

fn sum(n: i32) -> i32 {
    let mut s = 0i32;
    let mut i = 0i32;
    while i < n {
        let p = Point { x: i, y: s };

        s = p.size();
        i = i + 1i32;
    }
    s
}

fn depth(n: i32) -> i32 {
    if n < 1i32 {
        return 0i32;
    }
    1i32 + depth(n + -1i32)
}

fn main() -> i32 {
    unsafe {
        printf("sum %d\n\0" as *const str as *const i8, sum(number("1000\0")));
        printf("depth %d\n\0" as *const str as *const i8, depth(number("100\0")));
    }
    0
}
