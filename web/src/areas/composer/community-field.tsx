import type { AiPolicy } from "@tandem/contract/community-names";
import { useQuery } from "@tanstack/react-query";
import { joinedQuery } from "../../data/communities.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { Select } from "../../ui/field.tsx";
import { noPolicy } from "./declaration.ts";

/** The policy on AI of the community that a post is for; undefined while it isn't known. */
export function usePolicyOf(community: string): AiPolicy | undefined {
  const { data: joined = [] } = useQuery(joinedQuery(useApi()));
  if (community === "") return noPolicy;
  return joined.find(({ name }) => name === community)?.aiPolicy ?? undefined;
}

/**
 * Where the post goes: one of the communities that the author has joined, or none; and what that says about AI. Only authors who
 * joined any see it.
 */
export function CommunityField({ value, onChange }: { value: string; onChange(name: string): void }) {
  const { t } = useText();
  const { data: joined = [] } = useQuery(joinedQuery(useApi()));
  const policy = usePolicyOf(value);
  const known = joined.map(({ name }) => name);
  const names = value === "" || known.includes(value) ? known : [value, ...known];
  if (names.length === 0) return null;
  return (
    <Select
      name="community"
      label={t("composer.community")}
      hint={
        value !== "" &&
        policy && (
          <>
            <strong>{t(`communities.policy.${policy}`)}:</strong>{" "}
            {t(`communities.policy.${policy}.description`)}
          </>
        )
      }
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
