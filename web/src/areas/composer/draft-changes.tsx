import type { Draft } from "@tandem/contract/drafts";
import { ArrowRight } from "lucide-react";
import type { ReactNode } from "react";
import { useMe } from "../../data/me.ts";
import { useText } from "../../i18n/use-text.tsx";
import { numbered } from "../../shared/numbered.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { ProvenanceBadge } from "../../ui/provenance-badge.tsx";
import { DraftContent } from "./draft-content.tsx";

/** The fields that a draft can change, in the order in which they are shown. */
const fields = [
  "title",
  "body",
  "url",
  "alt",
  "alts",
  "contentWarning",
  "sensitive",
  "imageUrl",
  "price",
  "category",
  "displayName",
  "bio",
  "links",
  "quotePolicy",
] as const satisfies (keyof Draft)[];

/** What a draft adds, changes or deletes. An edit is shown field by field, with the text that it replaces. */
export function DraftChanges({ draft }: { draft: Draft }) {
  const { operation, before } = draft;
  if (operation === "setAvatar") return <AvatarChange draft={draft} />;
  if (operation === "setBanner") return <BannerChange draft={draft} />;
  if (before === null) return <DraftContent {...draft} />;
  const changed = fields.filter((field) => draft.changes.includes(field));
  const edited = { ...draft, alts: editedAlts(before.alts, draft.alts) };
  const after = (field: Field) => shownOf(edited, field);
  // It deletes or attaches what is there now.
  if (changed.length === 0)
    return (
      <>
        <p className="text-sm empty:hidden">
          <LabelBefore draft={draft} />
        </p>
        <DraftContent {...before} struck={operation.startsWith("delete")} />
      </>
    );
  return (
    <>
      {operation === "editProduct" && !changed.includes("title") && (
        // Nothing else says which product it is.
        <p className="theirs font-semibold wrap-anywhere">
          <LabelBefore draft={draft} /> {before.title}
        </p>
      )}
      <dl className="flex flex-col gap-2">
        {changed.map((field) => (
          <FieldChange
            key={field}
            field={field}
            before={shownOf(before, field)}
            after={after(field)}
            label={<LabelBefore draft={draft} />}
          />
        ))}
      </dl>
    </>
  );
}

/** How the comment or product is labelled now that a draft changes, deletes or attaches. A post's label is next to the link to it. */
function LabelBefore({ draft: { before, commentId, productId } }: { draft: Draft }) {
  const { provenance = null, provenanceBasis = null } = before ?? {};
  if ((commentId ?? productId) === null || !provenance || !provenanceBasis) return null;
  return <ProvenanceBadge provenance={provenance} provenanceBasis={provenanceBasis} short />;
}

type Value = string | number | boolean | string[] | null;
type Field = (typeof fields)[number];

/** Descriptions of pictures are numbered. Who can quote a post isn't known from before the change. */
function shownOf(shown: Partial<Pick<Draft, Field>>, field: Field): Value {
  if (field === "alts") return shown.alts ? numbered(shown.alts) : null;
  return shown[field] ?? null;
}

/** The descriptions after an edit, which leaves pictures beyond its list as they are. */
function editedAlts(before: Draft["alts"], alts: Draft["alts"]): Draft["alts"] {
  return alts && [...alts, ...(before ?? []).slice(alts.length)];
}

interface Change {
  field: Field;
  before: Value;
  after: Value;
  /** Of the text before. */
  label: ReactNode;
}

function FieldChange({ field, before, after, label }: Change) {
  const { t } = useText();
  const box = "theirs block rounded-lg px-3 py-2 whitespace-pre-line wrap-anywhere";
  const empty = t("composer.change.empty");
  const textOf = (value: Value) => {
    if (Array.isArray(value)) return value.join("\n");
    if (typeof value === "boolean") return t(value ? "composer.change.yes" : "composer.change.no");
    return field === "quotePolicy" && value !== null ? t("composer.quotePolicy", { policy: value }) : value;
  };
  const [old, now] = [textOf(before), textOf(after)];
  return (
    <div>
      <dt className="mb-1 text-sm text-soft">{t(`composer.change.${field}`)}</dt>
      {old !== null && old !== "" && (
        <dd className="mb-1">
          <del className={`${box} bg-sunken text-soft line-through`}>
            <span className="sr-only">{t("composer.change.before")} </span>
            {label} {old}
          </del>
        </dd>
      )}
      <dd>
        <ins className={`${box} bg-agent-soft no-underline`}>
          <span className="sr-only">{t("composer.change.after")} </span>
          {now === null || now === "" ? <span className="text-soft">{empty}</span> : now}
        </ins>
      </dd>
    </div>
  );
}

function AvatarChange({ draft: { author, before, mediaUrl } }: { draft: Draft }) {
  const { t } = useText();
  const isAgent = author !== useMe()?.username;
  const old = before?.mediaUrl ?? null;
  return (
    <div className="flex items-center gap-3">
      <span className="sr-only">{t("composer.change.avatar")}</span>
      <Avatar name={author} src={old} isAgent={isAgent} size="large" />
      <ArrowRight className="size-5 text-soft rtl:rotate-180" aria-hidden="true" />
      <Avatar name={author} src={mediaUrl} isAgent={isAgent} size="large" />
    </div>
  );
}

function BannerChange({ draft: { mediaUrl } }: { draft: Draft }) {
  const { t } = useText();
  return (
    mediaUrl !== null && (
      <img
        src={mediaUrl}
        alt={t("composer.change.banner")}
        className="aspect-3/1 w-full rounded-lg bg-sunken object-cover"
      />
    )
  );
}
