//! Linear algebra with one order of operations.
//!
//! Every sum is taken in an order that depends on the shape of the matrices alone: not on the width of the registers, not on
//! the number of threads. Products are fused with the sums they go into. So results are the same, bit for bit, on every
//! machine.
//!
//! | module | contents |
//! |---|---|
//! | [`matrix`] | small dense matrices |
//! | [`tall`] | matrices with a row per word: Gram matrices, orthonormal bases |
//! | [`product`] | the kernels of matrix products |
//! | [`eigen`] | eigenvalues and eigenvectors of symmetric matrices |
//! | [`columns`] | reductions down the columns of a matrix |

pub(crate) mod columns;
mod eigen;
mod matrix;
mod product;
mod tall;

pub(crate) use eigen::{Eigen, eigen};
pub(crate) use matrix::Matrix;
pub(crate) use tall::TallMatrix;
