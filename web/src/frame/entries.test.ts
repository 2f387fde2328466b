import type { User } from "@tandem/contract/resources";
import { expect, test } from "vitest";
import { hrefOf, parseAddress } from "../router/address.ts";
import { entryAt, phoneBars, sideGroupsFor } from "./entries.ts";

const admin = { role: "admin" } as User;

/** The entry of the column and of the bars on phones, by its address; null where readers find the page elsewhere. */
test.each([
  ["/", "/", "/"],
  ["/?sort=hot", "/", "/"],
  ["/?saved=1", "/?saved=1", "/?saved=1"],
  ["/posts/7", "/", "/"],
  ["/posts/7/edit", "/", "/"],
  ["/search?q=loom", "/search", "/search"],
  ["/creators/native/ada", "/creators", "/search"],
  ["/c/weaving", "/communities", "/search"],
  ["/following", "/me", "/me"],
  ["/lists", "/me", "/me"],
  ["/lists/7", "/me", "/me"],
  ["/live/ada", "/live", "/search"],
  ["/shop/mine", "/shop", "/search"],
  ["/notifications", "/notifications", "/notifications"],
  ["/messages/ada", "/messages", "/messages"],
  ["/blocks", "/me", "/me"],
  ["/me", "/me", "/me"],
  ["/mutes", "/me", "/me"],
  ["/compose", null, "/compose"],
  ["/drafts", "/drafts", "/drafts"],
  ["/analytics", "/analytics", "/analytics"],
  ["/agents/new", "/agents", "/me"],
  ["/keys", "/agents", "/me"],
  ["/settings/security", "/settings", "/me"],
  ["/standing", "/settings", "/me"],
  ["/admin/sources/7", "/admin", "/me"],
  ["/policy", null, "/me"],
  ["/nowhere", null, null],
])("the navigation shows where %s belongs", (path, inColumn, onPhones) => {
  const { tabs, header } = phoneBars.members;
  const found = [sideGroupsFor(admin).flat(), [...tabs, ...header]].map((entries) => {
    const entry = entryAt(entries, parseAddress(path));
    return entry ? hrefOf(entry) : null;
  });
  expect(found).toEqual([inColumn, onPhones]);
});

test.each([
  ["/", "/"],
  ["/creators/native/ada", "/creators"],
  ["/live/ada", "/search"],
  ["/c/weaving", "/search"],
  ["/policy", "/about"],
  ["/agents", null],
  ["/account/forgot", null],
  ["/signup", null],
])("the bar on phones shows visitors where %s belongs", (path, onPhones) => {
  const entry = entryAt(phoneBars.visitors.tabs, parseAddress(path));
  expect(entry ? hrefOf(entry) : null).toBe(onPhones);
});

test("the tab bars of phones have five entries, the feed and the search first, and last what leads to the rest", () => {
  const bars = Object.entries(phoneBars).map(([reader, { tabs }]) => [reader, tabs.map(({ to }) => to)]);
  expect(Object.fromEntries(bars)).toEqual({
    members: ["/", "/search", "/compose", "/notifications", "/me"],
    visitors: ["/", "/search", "/creators", "/shop", "/about"],
  });
});

test("the navigation has only what its reader may see", () => {
  const labelsFor = (me: User | null) => sideGroupsFor(me).map((group) => group.map(({ to }) => to));
  expect(labelsFor(null)).toEqual([["/", "/search", "/communities", "/creators", "/live", "/shop"]]);
  const agent = { role: "agent" } as User;
  expect(labelsFor(agent).slice(1)).toEqual([
    ["/notifications", "/messages"],
    ["/", "/drafts", "/analytics"],
    ["/settings", "/me"],
  ]);
});
