import { adminsOnly, isWrite } from "@tandem/contract/operation";
import { operations } from "@tandem/contract/operations";
import { expect, test } from "vitest";
import { knownActions } from "./audit-actions.ts";

test("the audit log has words for everything that only admins can do", () => {
  const names = Object.values(operations)
    .filter((operation) => operation.access === adminsOnly && isWrite(operation))
    .map(({ name }) => name);
  expect(names).toContain("saveSitePage");
  expect(names.filter((name) => !(knownActions as readonly string[]).includes(name))).toEqual([]);
});
