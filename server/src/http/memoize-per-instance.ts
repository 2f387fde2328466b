/**
 * Computes a value for an object on first use and returns the same value as long as the object lives. So what is compiled
 * from the contract is shared by all services of a process.
 */
export function memoizePerInstance<Thing extends object, Made>(
  make: (thing: Thing) => Made,
): (thing: Thing) => Made {
  const made = new WeakMap<Thing, { value: Made }>();
  return (thing) => {
    let found = made.get(thing);
    if (!found) {
      found = { value: make(thing) };
      made.set(thing, found);
    }
    return found.value;
  };
}
