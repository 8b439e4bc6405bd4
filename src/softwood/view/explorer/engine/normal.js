// The normal distribution in tails, so that small masses keep their digits.
//
// A point z is held as its tail: the mass below it if z < 0, and minus the mass above it
// otherwise. 0 is minus infinity as a lower bound, and plus infinity as an upper one.
// The same rules as softwood/_kernels/normal.py.

const HALF_ROOT = Math.SQRT1_2;
const ROOT_PI = Math.sqrt(Math.PI);
const SERIES_ENDS = 2.2; // beyond, the continued fraction takes fewer steps
const TINY = 1e-300;

// erf(x) = 2 / sqrt(pi) * exp(-x^2) * sum of 2^n x^(2n+1) / (1 * 3 * ... * (2n+1)): no term is negative.
function erfBySeries(x) {
  let term = x;
  let sum = x;
  for (let odd = 3; term > 1e-18 * sum; odd += 2) {
    term *= (2 * x * x) / odd;
    sum += term;
  }
  return (2 / ROOT_PI) * Math.exp(-x * x) * sum;
}

// erfc(x) = exp(-x^2) / sqrt(pi) / (x + (1/2) / (x + (2/2) / (x + (3/2) / (x + ...)))), by Lentz.
function erfcByFraction(x) {
  let value = x;
  let numerator = x;
  let denominator = 0;
  for (let step = 1; step < 500; step += 1) {
    const part = step / 2;
    denominator = 1 / (x + part * denominator || TINY);
    numerator = x + part / numerator || TINY;
    const change = numerator * denominator;
    value *= change;
    if (Math.abs(change - 1) < 1e-16) break;
  }
  return Math.exp(-x * x) / ROOT_PI / value;
}

export function erfc(x) {
  if (x < 0) return 2 - erfc(-x);
  if (x < 0.5) return 1 - erfBySeries(x);
  if (x < SERIES_ENDS) return 1 - erfBySeries(x);
  return x > 27 ? 0 : erfcByFraction(x);
}

export function tailOf(z) {
  const mass = 0.5 * erfc(Math.abs(z) * HALF_ROOT);
  return z < 0 ? mass : -mass;
}

export function massBetween(low, high) {
  return high - low + (low >= 0 && high <= 0 ? 1 : 0);
}
