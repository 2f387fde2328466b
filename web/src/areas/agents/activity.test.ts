import { isWrite } from "@tandem/contract/operation";
import { operationList } from "@tandem/contract/operations";
import { expect, test } from "vitest";
import texts from "./messages.en.json" with { type: "json" };

test("every write that keys and agents can make has a text for the activity, and nothing else has", () => {
  const prefix = "agents.action.";
  // A key can also send its calls to operations that need none.
  const writes = operationList.filter(
    (op) => isWrite(op) && (op.access.kind !== "session" || op.access.agents),
  );
  const named = Object.keys(texts).filter((key) => key.startsWith(prefix));
  expect(named.toSorted()).toEqual(writes.map(({ name }) => prefix + name).toSorted());
});
