// SPDX-License-Identifier: MIT
// A tree, strings, a sort with a closure, recursion, a panic that is caught, a
// thread: a fixed amount of work.
use std::collections::BTreeMap;
use std::panic;

fn fib(n: u64) -> u64 {
    if n < 2 {
        n
    } else {
        fib(n - 1) + fib(n - 2)
    }
}

fn once(i: u64) -> u64 {
    let m: BTreeMap<u64, String> = (0..3000)
        .map(|k| (k * 7919 % 3001, format!("{:x}", k + i)))
        .collect();
    let mut v: Vec<String> = m.values().cloned().collect();
    v.sort_by(|a, b| b.cmp(a));
    let caught = panic::catch_unwind(|| {
        if v.len() > 10 {
            panic::resume_unwind(Box::new(7u8));
        }
        3
    });
    v[0].len() as u64 + fib(20) + caught.unwrap_or(1)
}

fn main() {
    let t = std::thread::spawn(|| (0..120).map(once).sum::<u64>());
    let sum: u64 = (0..120).map(once).sum();
    std::process::exit((t.join().unwrap() + sum == 42) as i32);
}
