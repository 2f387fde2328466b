/**
 * Makes something of a thing the first time that it is asked for, and gives the same again as long as the thing lives: what
 * is compiled from the contract serves every service of a process.
 */
export function onceFor<Thing extends object, Made>(make: (thing: Thing) => Made): (thing: Thing) => Made {
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
