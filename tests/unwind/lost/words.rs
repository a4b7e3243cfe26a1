// SPDX-License-Identifier: MIT
// words: maps, strings, sorting.
use std::collections::{BTreeMap, HashMap};
use std::hint::black_box;

#[inline(never)]
fn text(n: usize) -> String {
    (0..n).map(|i| format!("w{} ", i * 7919 % 503)).collect()
}

#[inline(never)]
fn count(t: &str) -> HashMap<&str, usize> {
    let mut m = HashMap::new();
    for w in t.split(' ') {
        *m.entry(w).or_insert(0) += 1;
    }
    m
}

#[inline(never)]
fn order(m: &HashMap<&str, usize>) -> BTreeMap<usize, usize> {
    let mut b = BTreeMap::new();
    for (w, n) in m {
        b.insert(w.len() * 1000 + n, *n);
    }
    b
}

#[inline(never)]
fn sum(v: &[u64]) -> u64 {
    v.iter().fold(0, |a, b| a.rotate_left(3) ^ b)
}

#[inline(never)]
fn copy(from: &[u64], to: &mut [u64]) {
    to.copy_from_slice(from);
}

#[inline(never)]
fn find(t: &str, w: &str) -> usize {
    t.rfind(w).unwrap_or(0)
}

fn main() {
    let t = text(4000);
    let v: Vec<u64> = (0..20000).map(|i| i * 2654435761 % 10007).collect();
    let mut w = vec![0; v.len()];
    for _ in 0..3000 {
        let m = count(black_box(&t));
        black_box(order(&m));
        black_box(find(&t, "none of them"));
        for _ in 0..20 {
            copy(black_box(&v), &mut w);
        }
        black_box(sum(&w));
    }
    w.sort_unstable();
    black_box(w);
}
