/**
 * Computes a value for an object on first use and returns the same value as long as the object lives. So what is compiled
 * from the contract is shared by all services of a process.
 */
export function memoizePerInstance<Thing extends object, Value>(
  compute: (thing: Thing) => Value,
): (thing: Thing) => Value {
  const cache = new WeakMap<Thing, { value: Value }>();
  return (thing) => {
    let entry = cache.get(thing);
    if (!entry) {
      entry = { value: compute(thing) };
      cache.set(thing, entry);
    }
    return entry.value;
  };
}
