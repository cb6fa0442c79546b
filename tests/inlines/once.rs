// What once.c does, in Rust.

static mut TABLE: [u32; 256] = [0; 256];

#[inline]
fn mix(key: u32) -> u32 {
    let key = key ^ (key >> 15);
    let key = key.wrapping_mul(2246822519);
    let key = key ^ (key >> 13);
    unsafe { TABLE[(key & 255) as usize] ^= key };
    key
}

#[inline]
fn fold(a: u32, b: u32) -> u32 {
    let a = a.wrapping_add(unsafe { TABLE[(b & 255) as usize] });
    let a = a << 7 | a >> 25;
    a ^ b.wrapping_mul(9)
}

#[inline(never)]
fn always(n: u32) -> u32 {
    let key = mix(n);
    if n % 3 != 0 { key } else { key ^ 1 }
}

#[inline(never)]
fn twice(n: u32) -> u32 {
    mix(n) ^ mix(n ^ 7)
}

#[inline(never)]
fn rarely(n: u32) -> u32 {
    if n % 5 != 0 { n } else { mix(n) }
}

#[inline(never)]
fn unrolled(n: u32) -> u32 {
    let mut n = n;
    for i in 0..4 {
        n = fold(n, i ^ n);
    }
    n
}

#[inline(never)]
fn looped(n: u32) -> u32 {
    let mut sum = 0;
    for i in 0..n % 3 {
        sum ^= mix(i ^ n);
    }
    sum
}

fn main() {
    let count: u32 = std::env::args().nth(1).map_or(0, |n| n.parse().unwrap());
    let mut sum = 0;
    for i in 0..count {
        sum ^= always(i) ^ twice(i) ^ rarely(i) ^ unrolled(i) ^ looped(i);
    }
    println!("{}", sum);
}
