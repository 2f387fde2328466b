import type { Draft } from "@tandem/contract/drafts";
import { useQuery } from "@tanstack/react-query";
import { ArrowRight, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useMe } from "../../data/me.ts";
import { postQuery } from "../../data/posts.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { numbered } from "../../shared/numbered.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { ProvenanceBadge } from "../../ui/provenance-badge.tsx";
import { Deadline } from "../../ui/time.tsx";
import { usePriceText } from "../../ui/use-price-text.ts";

/** The text fields that a draft can add or change, in the order in which they are shown. */
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
] as const satisfies (keyof NonNullable<Draft["before"]>)[];

/** What a draft adds, changes or deletes. An edit is shown field by field, with the text that it replaces. */
export function DraftChanges({ draft }: { draft: Draft }) {
  const { operation, before } = draft;
  if (operation === "setAvatar") return <AvatarChange draft={draft} />;
  if (operation === "setBanner") return <BannerChange draft={draft} />;
  if (before === null) return <Content {...draft} />;
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
        <Content {...before} struck={operation.startsWith("delete")} />
      </>
    );
  return (
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

/** Descriptions of pictures are numbered. */
function shownOf(shown: Pick<Draft, Field>, field: Field): Value {
  if (field !== "alts") return shown[field];
  return shown.alts && numbered(shown.alts);
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
  const wordOf = (value: boolean) => t(value ? "composer.change.yes" : "composer.change.no");
  const [old, now] = [before, after].map((value) =>
    Array.isArray(value) ? value.join("\n") : typeof value === "boolean" ? wordOf(value) : value,
  );
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

type Shown = Pick<
  Draft,
  | "title"
  | "body"
  | "url"
  | "alt"
  | "contentWarning"
  | "sensitive"
  | "imageUrl"
  | "price"
  | "category"
  | "displayName"
  | "bio"
  | "mediaUrl"
> &
  Partial<Pick<Draft, "pictures" | "poll" | "choices" | "postId">>;

/** A whole post, comment, product or profile. */
function Content({ struck = false, ...shown }: Shown & { struck?: boolean }) {
  const { title, body, url, alt, imageUrl, price, category, displayName, bio, mediaUrl } = shown;
  const { contentWarning, sensitive, pictures, poll, choices, postId } = shown;
  const { t } = useText();
  const priceText = usePriceText();
  const line = struck ? "line-through decoration-soft" : "";
  return (
    <div className={`flex min-w-0 flex-col gap-1 empty:hidden ${struck ? "text-soft" : ""}`}>
      {[title, displayName].map(
        (text) =>
          text && (
            <p key={text} className={`theirs font-semibold wrap-anywhere ${line}`}>
              {text}
            </p>
          ),
      )}
      {contentWarning && (
        <p className={`theirs text-sm wrap-anywhere ${line}`}>
          <TriangleAlert className="me-1.5 inline size-4 text-soft" aria-hidden="true" />
          <span className="sr-only">{t("card.warning")} </span>
          {contentWarning}
        </p>
      )}
      {sensitive && <p className={`text-sm text-soft ${line}`}>{t("card.sensitive")}</p>}
      {[body, bio].map(
        (text) =>
          text && (
            <p key={text} className={`theirs line-clamp-6 whitespace-pre-line wrap-anywhere ${line}`}>
              {text}
            </p>
          ),
      )}
      {poll && (
        <>
          <OptionList options={poll.options} />
          <p className="text-sm text-soft">
            {t("composer.poll.closesAt")}: <Deadline at={poll.closesAt} />
          </p>
        </>
      )}
      {choices && postId != null && <Choices postId={postId} choices={choices} />}
      {(price !== null || category) && (
        <p className={`theirs text-sm ${line}`}>
          {[price === null ? null : priceText(price), category].filter(Boolean).join(" · ")}
        </p>
      )}
      {[...new Set([url, imageUrl])].map(
        // The picture, too, as its address: nothing is fetched from there before someone approved it.
        (address) =>
          address && (
            <p key={address} className={`theirs text-sm wrap-anywhere text-soft ${line}`}>
              {address}
            </p>
          ),
      )}
      {(pictures ?? (mediaUrl ? [{ url: mediaUrl, alt }] : [])).map((medium) => (
        <Medium key={medium.url} url={medium.url} alt={medium.alt} />
      ))}
    </div>
  );
}

function OptionList({ options }: { options: readonly string[] }) {
  return (
    <ul className="flex list-disc flex-col gap-0.5 ps-5">
      {options.map((text) => (
        <li key={text} className="theirs wrap-anywhere">
          {text}
        </li>
      ))}
    </ul>
  );
}

/** What a vote that waits chooses. */
function Choices({ postId, choices }: { postId: number; choices: readonly number[] }) {
  const { data: post } = useQuery({ ...postQuery(useApi(), postId), retry: false });
  return <OptionList options={choices.map((choice) => post?.poll?.options[choice] ?? `${choice + 1}`)} />;
}

/** Pictures are stored as WebP; anything else is a video. */
function Medium({ url, alt }: { url: string; alt: string | null }) {
  const { t } = useText();
  const name = alt ?? t("composer.withMedia");
  return (
    <a href={url} className="text-sm text-accent underline">
      {url.endsWith(".webp") ? (
        <img src={url} alt={name} loading="lazy" className="max-h-60 rounded-lg border object-contain" />
      ) : (
        name
      )}
    </a>
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
