// The workload of regex: finds, captures and replaces in a text.
use regex::Regex;

fn next_random(state: &mut u32) -> u32 {
    *state = state.wrapping_mul(1664525).wrapping_add(1013904223);
    *state >> 8
}

fn make_text() -> String {
    let words = ["copper", "tin", "zinc", "iron", "lead", "silver", "mercury", "gold"];
    let mut text = String::new();
    let mut state = 1;
    for i in 0..250 {
        let number = next_random(&mut state) as usize;
        text += &format!("{}-{} = {} {}\n", words[number % 8], i, number, words[number / 8 % 8]);
    }
    text
}

fn main() {
    let text = make_text();
    let pair = Regex::new(r"(?m)^([a-z]+)-([0-9]+) = ([0-9]+) (tin|zinc)$").unwrap();
    let number = Regex::new(r"[0-9]{7,}").unwrap();
    let word = Regex::new(r"(?i-u:GOLD|Silver)[ -]").unwrap();
    let short = Regex::new(r"^(co|ti|z)[a-z]*(-1)").unwrap();
    let mut sum = 0;
    for captures in pair.captures_iter(&text) {
        sum += captures[2].len() + captures[3].len();
    }
    let lines = text.lines().filter(|line| short.captures(line).is_some()).count();
    let replaced = word.replace_all(&text, "<$0>");
    println!("{} {} {} {}", sum, lines, number.find_iter(&text).count(), replaced.len());
}
