//! The program at work on random customers, a process each.

use std::time::Duration;

use anyhow::Result;

use crate::customers::Customer;
use crate::process;
use crate::scene::{Scene, program};

/// Looks up somebody who is there.
pub fn get(scene: &Scene, size: usize) -> Result<Duration> {
    let email = Customer::any(size).email;
    process::timed(program(&scene.directory(size)).args(["get", "--email", &email]))
}

/// Looks up somebody who isn't there.
pub fn get_missing(scene: &Scene, size: usize) -> Result<Duration> {
    let email = format!("nobody+{}@example.com", fastrand::u32(..));
    process::timed_to(
        program(&scene.directory(size)).args(["get", "--email", &email]),
        1,
    )
}

/// Saves somebody who is there, changed.
pub fn upsert(scene: &Scene, size: usize) -> Result<Duration> {
    let customer = changed(size);
    let mut command = program(&scene.directory(size));
    command.args([
        "upsert",
        "--email",
        &customer.email,
        "--full-name",
        &customer.full_name,
    ]);
    command.args([
        "--company-name",
        &customer.company_name,
        "--customer-tier",
        customer.tier,
    ]);
    process::timed(&mut command)
}

/// A random customer, at a company that nobody was at before.
pub fn changed(size: usize) -> Customer {
    let mut customer = Customer::any(size);
    customer.company_name = format!("Company {} Ltd", fastrand::u64(..));
    customer
}
