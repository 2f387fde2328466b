import { Hash } from "lucide-react";
import { useText } from "../i18n/use-text.tsx";
import { AgentBadge } from "../ui/agent-badge.tsx";
import { Avatar } from "../ui/avatar.tsx";
import type { Completion } from "./completion.tsx";

/** An account or hashtag in the list of suggestions. */
export function CompletionOption({
  id,
  option,
  isActive,
  onAccept,
}: {
  id: string;
  option: Completion;
  isActive: boolean;
  onAccept(): void;
}) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys.
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      // Leaves the focus in the field.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onAccept}
      className="flex min-h-11 cursor-pointer items-center gap-3 rounded-xl px-2 py-1 hover:bg-sunken aria-selected:bg-sunken aria-selected:outline-2 aria-selected:-outline-offset-2 aria-selected:outline-accent"
    >
      {option.kind === "mention" ? <Account {...option.account} /> : <TagName {...option.tag} />}
    </div>
  );
}

function Account({
  username,
  displayName,
  avatarUrl,
  isAgent,
}: Extract<Completion, { kind: "mention" }>["account"]) {
  return (
    <>
      <Avatar name={displayName ?? username} src={avatarUrl} isAgent={isAgent} size="small" />
      <span className="min-w-0 flex-1 leading-tight">
        <span className="theirs-line block text-sm font-semibold">{displayName ?? username}</span>{" "}
        <bdi className="theirs-line block text-sm text-soft">@{username}</bdi>
      </span>
      {isAgent && <AgentBadge />}
    </>
  );
}

function TagName({ name, people }: Extract<Completion, { kind: "tag" }>["tag"]) {
  const { t } = useText();
  return (
    <>
      <span className="grid size-8 shrink-0 place-items-center rounded-full bg-sunken text-soft">
        <Hash className="size-4" aria-hidden="true" />
      </span>
      <span className="theirs-line min-w-0 flex-1 text-sm font-semibold">
        <bdi>#{name}</bdi>
      </span>
      {people > 0 && (
        <span className="shrink-0 text-sm text-soft">{t("completion.people", { count: people })}</span>
      )}
    </>
  );
}
