import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { joinedNamesQuery } from "../../data/communities.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useSearch } from "../../router/provider.tsx";
import { useApi } from "../../shared/context.ts";
import { Select } from "../../ui/field.tsx";

/** Where the post goes: one of the communities that the author has joined, or none. Only authors who joined any see it. */
export function CommunityField({ value, onChange }: { value: string; onChange(name: string): void }) {
  const { t } = useText();
  const { community: asked } = useSearch();
  const { data: joined = [] } = useQuery(joinedNamesQuery(useApi()));
  const choose = useEffectEvent((name: string) => onChange(name));
  useEffect(() => {
    if (asked) choose(asked);
  }, [asked]);
  const names = value === "" || joined.includes(value) ? joined : [value, ...joined];
  if (names.length === 0) return null;
  return (
    <Select
      name="community"
      label={t("composer.community")}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      <option value="">{t("composer.noCommunity")}</option>
      {names.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </Select>
  );
}
