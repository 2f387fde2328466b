import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { Admission, type ShedReason, type Ticket } from "./admission.ts";

interface Kind {
  isDear?: boolean;
  isFile?: boolean;
  isSignedIn?: boolean;
  network?: string;
}

/** An admission whose requests are writes, which never start at once, and the names of what it started and refused. */
function admission(maxWait = 600_000, writeQueueAge = () => 0) {
  const started: string[] = [];
  const refused = new Map<string, ShedReason>();
  const admits = new Admission({ maxWait, writeQueueAge });
  const enter = (
    name: string,
    { isDear = false, isFile = false, isSignedIn = false, network = name }: Kind = {},
  ): Ticket =>
    admits.enter({
      isWrite: true,
      isDear,
      isFile,
      takesPlace: () => !isFile,
      identify: () => ({ isSignedIn, network }),
      admit: () => started.push(name),
      refuse: (reason) => refused.set(name, reason),
    });
  /** Resolves once everything that may start has started. */
  const settled = async () => {
    for (let before = -1; before < started.length; await nextTurn()) before = started.length;
  };
  /** Takes all places, also those for accounts only and for dear requests. */
  const fill = async () => {
    const tickets = Array.from({ length: 68 }, (_, i) =>
      enter(`filler ${i}`, { isSignedIn: true, isDear: i >= 64 }),
    );
    await settled();
    expect(started.splice(0)).toHaveLength(68);
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
  /** Makes this turn so long that nothing that arrives in it starts at once. */
  const lengthenTurn = () => {
    admits.isFree();
    const ends = performance.now() + 11;
    while (performance.now() < ends);
  };
  return { admits, enter, started, refused, settled, fill, overload, lengthenTurn };
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

test("strangers wait for accounts, but not forever", async () => {
  const { admits, enter, started } = admission();
  enter("stranger");
  const accounts: Ticket[] = [];
  const ends = performance.now() + 5000;
  for (; !started.includes("stranger"); await nextTurn()) {
    expect(performance.now()).toBeLessThan(ends);
    for (const ticket of accounts) if (ticket.state === "started") admits.leave(ticket);
    // More than start in a turn.
    while (accounts.length < started.length + 8) accounts.push(enter("account", { isSignedIn: true }));
  }
  expect(started[0]).toBe("account");
});

test("strangers leave places to accounts, and dear requests to cheap ones", async () => {
  const { enter, started, settled } = admission();
  for (let i = 0; i < 100; i++) enter("stranger");
  for (let i = 0; i < 10; i++) enter("dear", { isDear: true, isSignedIn: true });
  await settled();
  const count = (name: string) => started.filter((one) => one === name).length;
  expect([count("dear"), count("stranger")]).toEqual([4, 32]);
  enter("account", { isSignedIn: true });
  await settled();
  expect(started.at(-1)).toBe("account");
});

test("files of pages need no place and start before all others, but no more than 16 in one turn", async () => {
  const { enter, started, settled, fill, overload, lengthenTurn } = admission();
  await fill();
  await overload();
  lengthenTurn();
  enter("waits for a place", { isSignedIn: true });
  for (let i = 0; i < 20; i++) enter("file", { isFile: true, network: "one" });
  const perTurn: number[] = [];
  for (let before = 0; started.length < 20; before = started.length) {
    await nextTurn();
    perTurn.push(started.length - before);
  }
  expect(perTurn.filter((count) => count > 0)).toEqual([16, 4]);
  await settled();
  expect(new Set(started)).toEqual(new Set(["file"]));
});

test("under overload, files wait as long as without", async () => {
  const { enter, started, refused, settled, fill, overload, lengthenTurn } = admission(2000);
  await fill();
  await overload();
  lengthenTurn();
  for (let i = 0; i < 100; i++) enter("file", { isFile: true });
  enter("impatient");
  // A turn that is longer than others may wait, before all files have started.
  const until = performance.now() + 200;
  await nextTurn();
  while (performance.now() < until);
  await settled();
  expect(started.filter((name) => name === "file")).toHaveLength(100);
  expect([...refused.values()]).toEqual(["queue_full"]);
});

test("files that are given up are refused when their time is over, not after what came later", async () => {
  const { enter, refused, fill, overload, lengthenTurn } = admission(200);
  await fill();
  await overload();
  refused.clear();
  const arrived: string[] = [];
  const arrive = (name: string, kind?: Kind) => {
    arrived.push(name);
    enter(name, kind);
  };
  // More files than may start, of which the newest do, and others, which are given up sooner.
  const began = performance.now();
  for (let turn = 0; performance.now() - began < 500; turn++) {
    lengthenTurn();
    for (let i = 0; i < 18; i++) arrive(`file ${turn} ${i}`, { isFile: true });
    arrive(`other ${turn}`);
    await nextTurn();
  }
  const order = [...refused.keys()];
  expect(order.some((name) => name.startsWith("file"))).toBe(true);
  expect(order).toEqual(arrived.filter((name) => refused.has(name)));
});

test("under overload the networks with the most requests in flight come last, and the newest request first", async () => {
  const { admits, enter, started, settled, fill, overload } = admission();
  const free = await fill();
  await overload();
  const tickets = [
    ...Array.from({ length: 20 }, () => enter("crawler", { network: "crawler", isSignedIn: true })),
    ...Array.from({ length: 10 }, () => enter("greedy", { network: "greedy", isSignedIn: true })),
  ];
  enter("earlier");
  enter("later");
  await settled();
  free();
  while (started.length < 32) {
    await settled();
    for (const ticket of tickets) if (ticket.state === "started") admits.leave(ticket);
  }
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

test("refusals are spread over turns, so that clients that retry at once don't return together", async () => {
  const perTurn = [0];
  const admits = new Admission({ maxWait: 10, writeQueueAge: () => 11 });
  for (let i = 0; i < 100; i++)
    admits.enter({
      isWrite: true,
      isDear: false,
      isFile: false,
      takesPlace: () => true,
      identify: () => ({ isSignedIn: true, network: `${i}` }),
      admit: () => {},
      refuse: () => perTurn.push((perTurn.pop() ?? 0) + 1),
    });
  const refused = () => perTurn.reduce((sum, count) => sum + count);
  for (; refused() < 100; await nextTurn()) perTurn.push(0);
  // A timer and a turn.
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(8);
  // Without pauses, once the first is due.
  expect(perTurn.length - perTurn.findIndex((count) => count > 0)).toBeLessThan(50);
});

test("an overload begins with few requests in progress at once; then there are more if they are fast, and fewer if not", async () => {
  // Long enough that a stalled machine refuses none meanwhile.
  const { admits, enter, started, settled, overload } = admission(10_000);
  await overload();
  const crowd = () => Array.from({ length: 64 }, () => enter("account", { isSignedIn: true }));
  const inProgress = async (milliseconds: number) => {
    const before = started.length;
    const tickets = crowd();
    await settled();
    await pause(milliseconds);
    const count = started.length - before;
    for (const ticket of tickets) admits.leave(ticket);
    return count;
  };
  // A twentieth of what a request may wait is still fast.
  const slow = 550;
  expect(await inProgress(slow)).toBe(8);
  for (let i = 0; i < 100; i++) {
    const ticket = enter("account", { isSignedIn: true });
    await settled();
    admits.leave(ticket);
  }
  expect(await inProgress(slow)).toBeGreaterThan(8);
  expect(await inProgress(slow)).toBe(8);
});

test("a crowd counts as overload if it can't start in time at the pace so far", async () => {
  for (const [crowd, first] of [
    [200, "earlier"],
    [4900, "later"],
  ] as const) {
    const { enter, started, settled, fill } = admission(10_000);
    const free = await fill();
    for (let i = 0; i < crowd; i++) enter("dear", { isDear: true });
    // Nothing starts meanwhile. The 68 that had started before could be 3,400 in ten seconds.
    await pause(200);
    enter("earlier", { isSignedIn: true });
    await nextTurn();
    enter("later", { isSignedIn: true });
    free();
    await settled();
    expect(started[0]).toBe(first);
  }
});

test("while the pace of a crowd isn't known yet, the newest request starts first", async () => {
  const { enter, started, settled, fill } = admission(10_000);
  const free = await fill();
  enter("earlier", { isSignedIn: true });
  for (let i = 0; i < 200; i++) enter("dear", { isDear: true });
  enter("later", { isSignedIn: true });
  free();
  await settled();
  expect(started.filter((name) => name !== "dear")).toEqual(["later", "earlier"]);
});
