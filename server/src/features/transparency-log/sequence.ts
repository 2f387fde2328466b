let last = 0;

/** Microseconds since 1970; each greater than the one before in this process. Tells apart pending entries of one version. */
export function nextSequence(): number {
  last = Math.max(last + 1, Date.now() * 1000);
  return last;
}
