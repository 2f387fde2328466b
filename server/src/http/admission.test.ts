import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { Admission, type ShedReason, type Ticket } from "./admission.ts";

interface Kind {
  isDear?: boolean;
  isSignedIn?: boolean;
  network?: string;
}

/** An admission whose requests are writes, which never start at once, and the names of what it started and refused. */
function admission(maxWait = 600_000, writeQueueAge = () => 0) {
  const started: string[] = [];
  const refused = new Map<string, ShedReason>();
  const admits = new Admission({ maxWait, writeQueueAge });
  const enter = (name: string, { isDear = false, isSignedIn = false, network = name }: Kind = {}): Ticket =>
    admits.enter({
      isWrite: true,
      isDear,
      takesPlace: () => true,
      identify: () => ({ isSignedIn, network }),
      admit: () => started.push(name),
      refuse: (reason) => refused.set(name, reason),
    });
  /** Resolves once everything that may start has started. */
  const settled = async () => {
    for (let before = -1; before < started.length; await nextTurn()) before = started.length;
  };
  /** Takes all places, also those for accounts only. */
  const fill = async () => {
    const tickets = Array.from({ length: 64 }, (_, i) => enter(`filler ${i}`, { isSignedIn: true }));
    await settled();
    expect(started.splice(0)).toHaveLength(64);
    return () => {
      for (const ticket of tickets) admits.leave(ticket);
    };
  };
  /** More than may wait: one is refused, which counts as overload. */
  const overload = async () => {
    const tickets = Array.from({ length: 5001 }, (_, i) => enter(`crowd ${i}`));
    expect([...refused.values()]).toEqual(["queue_full"]);
    for (const ticket of tickets) admits.leave(ticket);
  };
  return { admits, enter, started, refused, settled, fill, overload };
}

test("accounts start before strangers and cheap requests before dear ones, otherwise the first first", async () => {
  const { enter, started, settled, fill } = admission();
  const free = await fill();
  enter("dear stranger", { isDear: true });
  enter("stranger");
  enter("second stranger");
  enter("dear account", { isDear: true, isSignedIn: true });
  enter("account", { isSignedIn: true });
  await settled();
  expect(started).toEqual([]);
  free();
  await settled();
  expect(started).toEqual(["account", "dear account", "stranger", "second stranger", "dear stranger"]);
});

test("strangers leave places to accounts, and dear requests to cheap ones", async () => {
  const { enter, started, settled } = admission();
  for (let i = 0; i < 100; i++) enter("stranger");
  for (let i = 0; i < 10; i++) enter("dear", { isDear: true, isSignedIn: true });
  await settled();
  const count = (name: string) => started.filter((one) => one === name).length;
  expect([count("dear"), count("stranger")]).toEqual([4, 28]);
  enter("account", { isSignedIn: true });
  await settled();
  expect(started.at(-1)).toBe("account");
});

test("under overload the networks with the most requests in flight come last, and the newest request first", async () => {
  const { enter, started, settled, fill, overload } = admission();
  const free = await fill();
  await overload();
  for (let i = 0; i < 20; i++) enter("crawler", { network: "crawler", isSignedIn: true });
  for (let i = 0; i < 10; i++) enter("greedy", { network: "greedy", isSignedIn: true });
  enter("earlier");
  enter("later");
  await settled();
  free();
  await settled();
  expect(started.slice(0, 4)).toEqual(["later", "earlier", "greedy", "greedy"]);
  expect(started.lastIndexOf("greedy")).toBeLessThan(started.lastIndexOf("crawler"));
});

test("without overload, a network with many requests waits no longer than others", async () => {
  const { enter, started, settled, fill } = admission();
  const free = await fill();
  for (let i = 0; i < 20; i++) enter("busy", { network: "busy" });
  enter("other");
  await settled();
  free();
  await settled();
  expect(started.at(-1)).toBe("other");
});

test("while writes wait too long for the database, more are refused; what has left neither starts nor is refused", async () => {
  const { admits, enter, started, refused } = admission(10, () => 11);
  admits.leave(enter("left"));
  enter("stuck", { isSignedIn: true });
  await expect.poll(() => refused.get("stuck"), { timeout: 40_000 }).toBe("writes");
  expect([started, [...refused.keys()], admits.waiting]).toEqual([[], ["stuck"], 0]);
});
