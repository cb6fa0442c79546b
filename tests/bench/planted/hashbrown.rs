// The workload of hashbrown: maps and sets of numbers and of texts, which grow, are searched, and
// shrink. The hash function is FNV, so that all runs are the same.
use hashbrown::hash_map::Entry;
use hashbrown::{HashMap, HashSet};
use std::hash::{BuildHasher, Hasher};

#[derive(Clone, Default)]
struct Fnv;

struct FnvHasher(u64);

impl BuildHasher for Fnv {
    type Hasher = FnvHasher;
    fn build_hasher(&self) -> FnvHasher {
        FnvHasher(0xcbf29ce484222325)
    }
}

impl Hasher for FnvHasher {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x100000001b3);
        }
    }
    fn finish(&self) -> u64 {
        self.0
    }
}

type State = Fnv;

fn state() -> State {
    State::default()
}

fn next_random(state: &mut u32) -> u32 {
    *state = state.wrapping_mul(1664525).wrapping_add(1013904223);
    *state >> 8
}

fn count_words() -> (usize, usize) {
    let mut counts: HashMap<String, usize, State> = HashMap::with_hasher(state());
    let mut random = 1;
    for _ in 0..3000 {
        *counts.entry(format!("word {}", next_random(&mut random) % 900)).or_insert(0) += 1;
    }
    counts.retain(|_, count| *count > 2);
    (counts.len(), counts.values().sum())
}

fn collect_numbers() -> (usize, u64) {
    let mut squares: HashMap<u64, u64, State> = HashMap::with_hasher(state());
    let mut random = 7;
    for i in 0..4000 {
        let number = u64::from(next_random(&mut random));
        match squares.entry(number) {
            Entry::Occupied(mut entry) => *entry.get_mut() += i,
            Entry::Vacant(entry) => {
                entry.insert(number.wrapping_mul(number));
            }
        }
    }
    let mut random = 7;
    let mut sum = 0u64;
    for i in 0..8000 {
        let number = u64::from(next_random(&mut random));
        if let Some(square) = squares.get(&number) {
            sum = sum.wrapping_add(*square);
        }
        if i % 5 == 0 {
            squares.remove(&number);
        }
    }
    (squares.len(), sum)
}

fn compare_sets() -> usize {
    let mut random = 3;
    let mut one: HashSet<(u32, u16), State> = HashSet::with_hasher(state());
    let mut other: HashSet<(u32, u16), State> = HashSet::with_hasher(state());
    for i in 0..1500 {
        one.insert((next_random(&mut random) % 2000, i % 4));
        other.insert((next_random(&mut random) % 2000, i % 4));
    }
    one.intersection(&other).count() + one.clone().len()
}

fn main() {
    println!("{:?} {:?} {}", count_words(), collect_numbers(), compare_sets());
}
