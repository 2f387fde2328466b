import { nativePlatform, origins, type Platform } from "@tandem/contract/origins";
import type { CommunityHit, CreatorHit, Tag } from "@tandem/contract/resources";
import { Hash, Users } from "lucide-react";
import type { ReactNode } from "react";
import { useText } from "../../i18n/use-text.tsx";
import { communityTarget, creatorAddress } from "../../shared/addresses.ts";
import { AgentBadge } from "../../ui/agent-badge.tsx";
import { Avatar } from "../../ui/avatar.tsx";

/** A suggestion, and the page that it leads to. Its id is a place in the list, because names may contain spaces. */
export type Suggestion = { id: number; to: string; search?: Record<string, string> } & (
  | { kind: "creators"; hit: CreatorHit }
  /** `platform` is null if it leads to the posts of all platforms. */
  | { kind: "tags"; name: string; platform: Platform | null }
  | { kind: "communities"; hit: CommunityHit }
);

const kinds = ["creators", "tags", "communities"] as const;

/** The suggestions in the order in which they are listed: people, then hashtags, then other communities. */
export function suggestionsIn({
  creators,
  tags,
  communities,
}: {
  creators: readonly CreatorHit[];
  tags: readonly Tag[];
  communities: readonly CommunityHit[];
}): Suggestion[] {
  const all = [
    ...creators.map(
      (hit): Suggestion => ({
        kind: "creators",
        id: 0,
        to: creatorAddress(hit),
        hit,
      }),
    ),
    ...tags.map(({ name }): Suggestion => {
      const search = { q: `#${name}` };
      return { kind: "tags", id: 0, to: "/search", search, name, platform: null };
    }),
    ...communities.map((hit): Suggestion => {
      const { platform, community } = hit;
      const isTag = platform !== nativePlatform && origins[platform].communityTerm === "hashtag";
      const own = isTag
        ? ({ kind: "tags", name: community, platform } as const)
        : ({ kind: "communities", hit } as const);
      return { id: 0, ...communityTarget(hit), ...own };
    }),
  ];
  const sorted = kinds.flatMap((kind) => all.filter((suggestion) => suggestion.kind === kind));
  return sorted.map((suggestion, id) => ({ ...suggestion, id }));
}

/** The list below the query. The field keeps the focus, and names the active option. */
export function SuggestionList({
  id,
  suggestions,
  active,
  onChoose,
}: {
  id: string;
  suggestions: readonly Suggestion[];
  active: Suggestion | undefined;
  onChoose(suggestion: Suggestion): void;
}) {
  const { t } = useText();
  return (
    <div
      id={id}
      role="listbox"
      aria-label={t("search.suggestions")}
      className="absolute inset-x-0 top-full z-20 mt-1 max-h-[60vh] overflow-y-auto rounded-2xl border bg-raised p-1 shadow-raised"
    >
      {kinds.map((kind) => {
        const ofKind = suggestions.filter((suggestion) => suggestion.kind === kind);
        return (
          ofKind.length > 0 && (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset can't be in a listbox.
            <div key={kind} role="group" aria-labelledby={`${id}-${kind}`}>
              <p id={`${id}-${kind}`} className="px-3 pt-2 pb-1 text-xs font-semibold text-soft">
                {t(`search.${kind}`)}
              </p>
              {ofKind.map((suggestion) => (
                // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus.
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys.
                <div
                  key={suggestion.id}
                  id={`${id}-${suggestion.id}`}
                  role="option"
                  aria-selected={suggestion.id === active?.id}
                  // Leaves the focus in the field.
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => onChoose(suggestion)}
                  className="flex min-h-11 cursor-pointer items-center gap-3 rounded-xl px-3 py-1 hover:bg-sunken aria-selected:bg-sunken aria-selected:outline-2 aria-selected:-outline-offset-2 aria-selected:outline-accent"
                >
                  <SuggestionText {...suggestion} />
                </div>
              ))}
            </div>
          )
        );
      })}
    </div>
  );
}

function SuggestionText(suggestion: Suggestion) {
  const { t } = useText();
  if (suggestion.kind === "creators") {
    const { platform, author, displayName, avatarUrl, operator } = suggestion.hit;
    return (
      <>
        <Avatar
          name={displayName ?? author}
          src={avatarUrl}
          isAgent={operator !== null}
          platform={platform}
          size="small"
        />
        <Name
          detail={platform === "native" ? `@${author}` : t(`platform.${platform}`)}
          mark={operator && <AgentBadge />}
        >
          {displayName ?? author}
        </Name>
      </>
    );
  }
  const isTag = suggestion.kind === "tags";
  const { platform } = isTag ? suggestion : suggestion.hit;
  const Icon = isTag ? Hash : Users;
  return (
    <>
      <span className="grid size-8 shrink-0 place-items-center rounded-full bg-sunken text-soft">
        <Icon className="size-4" aria-hidden="true" />
      </span>
      <Name detail={t(platform === null ? "search.allSources" : `platform.${platform}`)}>
        {isTag ? `#${suggestion.name}` : suggestion.hit.community}
      </Name>
    </>
  );
}

/** On one line, or on phones on two, so that names are readable whole. */
function Name({ detail, mark, children }: { detail: string; mark?: ReactNode; children: ReactNode }) {
  return (
    <span className="flex min-w-0 flex-col sm:flex-row sm:items-center sm:gap-x-2">
      <span className="theirs-line max-w-full shrink-0 font-semibold sm:max-w-[70%]">{children}</span>{" "}
      <span className="flex min-w-0 items-center gap-2">
        <span className="theirs-line text-sm text-soft">{detail}</span>
        {mark}
      </span>
    </span>
  );
}
