import { useEffect, useEffectEvent, useState } from "react";
import type { StoredDraft } from "../../data/draft-storage.ts";
import { useNavigate, useSearch } from "../../router/provider.tsx";
import { isWebUrl, type PostText } from "./draft.ts";

/** What another app shares, as the address of the page has it: `/compose?title=…&text=…&url=…`. */
export type Shared = Readonly<Record<string, string | undefined>>;

const names = ["title", "text", "url"] as const;

/** Adds what another app shared to the draft, once it is restored, and takes it out of the address. */
export function useSharedText<T extends PostText>({ value, change }: StoredDraft<T>): void {
  const search = useSearch();
  const navigate = useNavigate();
  // An effect of this render runs after those that restore the draft, but with the values from before.
  const [isRestored, setRestored] = useState(false);
  useEffect(() => setRestored(true), []);
  const add = useEffectEvent(() => {
    if (!names.some((name) => search[name])) return;
    change(withShared(value, search) as Partial<T>);
    const rest = Object.entries(search).filter(([name]) => !names.some((shared) => shared === name));
    void navigate({ to: "/compose", search: Object.fromEntries(rest), replace: true });
  });
  useEffect(() => {
    if (isRestored) add();
  }, [isRestored]);
}

/**
 * The fields that change. Nothing that is written already gets lost: what finds its field taken is added to the body. Many apps
 * share a link as text, alone or at its end.
 */
export function withShared(
  { title, body, url }: Pick<PostText, "title" | "body" | "url">,
  shared: Shared,
): Pick<PostText, "title" | "body" | "url"> {
  const [sharedTitle, sharedText, sharedUrl] = names.map((name) => (shared[name] ?? "").trim());
  const [, words = "", link = ""] = sharedUrl
    ? [null, sharedText, sharedUrl]
    : (/^(.*?)\s*(https?:\/\/\S+)$/is.exec(sharedText ?? "") ?? [null, sharedText, ""]);
  const takesUrl = url.trim() === "" && isWebUrl(link);
  const added = [
    title.trim() === "" || title.trim() === sharedTitle ? "" : sharedTitle,
    words === sharedTitle ? "" : words,
    takesUrl || link === url.trim() ? "" : link,
  ];
  const parts = added.filter((part) => part !== undefined && part !== "" && !body.includes(part));
  return {
    title: title.trim() === "" ? (sharedTitle ?? "") : title,
    body: [body.trimEnd(), ...parts].filter((part) => part !== "").join("\n\n"),
    url: takesUrl ? link : url,
  };
}
