// The workload of miniz_oxide: compresses and decompresses a text.
use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib;

fn next_random(state: &mut u32) -> u32 {
    *state = state.wrapping_mul(1664525).wrapping_add(1013904223);
    *state >> 8
}

fn make_text(size: usize) -> Vec<u8> {
    let words = ["copper", "tin", "zinc", "iron", "lead", "silver", "mercury", "gold"];
    let mut text = Vec::new();
    let mut state = 1;
    while text.len() < size {
        let mut number = next_random(&mut state);
        text.extend_from_slice(words[number as usize % 8].as_bytes());
        number >>= 12;
        while number > 0 {
            text.push(b'a' + (number % 26) as u8);
            number /= 26;
        }
        text.push(b' ');
    }
    text
}

fn main() {
    let text = make_text(60000);
    for level in [1, 6] {
        let packed = compress_to_vec_zlib(&text, level);
        let out = decompress_to_vec_zlib(&packed).unwrap();
        println!("{} {}", packed.len(), out == text);
    }
}
