// What Rust adds: closures, iterators, traits, generic functions, panics.
use std::collections::HashMap;

mod inner {
    pub trait Area {
        fn area(&self) -> u32;
        fn twice(&self) -> u32 {
            2 * self.area()
        }
    }
    pub struct Square(pub u32);
    pub struct Circle<T>(pub T);
    impl Area for Square {
        fn area(&self) -> u32 {
            self.0.wrapping_mul(self.0)
        }
    }
    impl<T: Into<u32> + Copy> Area for Circle<T> {
        fn area(&self) -> u32 {
            let r: u32 = self.0.into();
            3 * r * r
        }
    }
}
use inner::Area;

fn apply<'a, F: Fn(&'a str) -> u32>(text: &'a str, f: F) -> u32 {
    text.split(' ').map(|w| f(w)).filter(|n| n % 2 == 1).sum()
}

#[inline(never)]
fn work(n: u32) -> u32 {
    let text = (0..n).map(|i| (i * 7919 % 1000).to_string()).collect::<Vec<_>>().join(" ");
    let mut seen: HashMap<usize, u32> = HashMap::new();
    let sum = apply(&text, |w| w.bytes().fold(0, |a, b| a * 31 + b as u32 % 7));
    for w in text.split_whitespace() {
        *seen.entry(w.len()).or_insert(0) += w.parse::<u32>().unwrap();
    }
    sum.wrapping_add(seen.values().sum())
}

fn main() {
    let n = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(40);
    let shapes: Vec<Box<dyn Area>> = vec![Box::new(inner::Square(n)), Box::new(inner::Circle(3u16))];
    let total = shapes.iter().map(|s| s.twice()).sum::<u32>();
    println!("{}", total.wrapping_add(work(n)));
}
