import type { AccountAccess, EndedAccess } from "@tandem/contract/account-resources";
import type { TextKey } from "../i18n/keys.ts";
import { useText } from "../i18n/use-text.tsx";

/** What an account's password and this session aren't needed for. Empty if nothing else opens it. */
export function accessItems({
  providers,
  ...counts
}: AccountAccess | EndedAccess): { kind: string; count: number }[] {
  const items = Object.entries(counts).map(([kind, count]) => ({ kind, count: Number(count) }));
  return [...items.filter(({ count }) => count > 0), ...providers.map((kind) => ({ kind, count: 1 }))];
}

/** What else opens an account. `text` takes the `kind` and `count` of an item. */
export function AccessList({
  access,
  text,
}: {
  access: AccountAccess | EndedAccess;
  text: Extract<TextKey, `${string}.accessItem`>;
}) {
  const { t } = useText();
  return (
    <ul className="list-disc ps-5">
      {accessItems(access).map((item) => (
        <li key={item.kind}>{t(text, item)}</li>
      ))}
    </ul>
  );
}
