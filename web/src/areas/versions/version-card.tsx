import type { Post } from "@tandem/contract/post-resources";
import { Bot, Globe, KeyRound, User } from "lucide-react";
import type { ReactNode } from "react";
import type { ShownVersion, Version } from "../../data/versions.ts";
import type { TextKey } from "../../i18n/keys.ts";
import { useText } from "../../i18n/use-text.tsx";
import { BehindWarning } from "../../posts/content-warning.tsx";
import { postAddress } from "../../shared/addresses.ts";
import { numbered } from "../../shared/numbered.ts";
import { Link } from "../../ui/link.tsx";
import { ProvenanceBadge } from "../../ui/provenance-badge.tsx";
import { Time } from "../../ui/time.tsx";
import { Difference } from "./difference.tsx";

export type CurrentWarnings = Pick<Post, "contentWarning" | "sensitive" | "provenance"> | undefined;

/** A version: when it was made, who made it, its mark, and what it changed. */
export function VersionCard({ shown, current }: { shown: ShownVersion; current: CurrentWarnings }) {
  const { version, before } = shown;
  const { t } = useText();
  const titleId = `version-${version.version}`;
  return (
    <li>
      <article aria-labelledby={titleId} className="card-flush flex flex-col gap-3 p-4 sm:p-5">
        <header className="flex flex-col gap-1.5">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <h2 id={titleId} className="font-semibold">
              {t("versions.number", { number: version.version })}
            </h2>
            {version.current && (
              <span className="rounded-full bg-sunken px-2 py-0.5 text-xs font-semibold">
                {t("versions.current")}
              </span>
            )}
            <span className="text-sm text-soft">
              <Time at={version.madeAt} />
            </span>
            <span className="ms-auto">
              <ProvenanceBadge provenance={version.provenance} provenanceBasis={version.provenanceBasis} />
            </span>
          </div>
          <Maker version={version} />
        </header>
        <Changes version={version} before={before} current={current} />
      </article>
      {version.notKept > 0 && (
        <p className="px-4 pt-4 text-center text-sm text-soft">
          {t("versions.notKept", { count: version.notKept })}
        </p>
      )}
    </li>
  );
}

const makerIcons = { person: User, ai: Bot, origin: Globe, unknown: User };

function Maker({ version: { madeBy, version, key } }: { version: Version }) {
  const { t } = useText();
  const Icon = makerIcons[madeBy];
  const isFirst = version === 1;
  return (
    <p
      className={`flex flex-wrap items-center gap-x-3 gap-y-1 text-sm ${madeBy === "ai" ? "text-agent" : "text-soft"}`}
    >
      <span className="inline-flex items-center gap-1.5">
        <Icon className="size-4 shrink-0" aria-hidden="true" />
        {t(isFirst ? `versions.written.${madeBy}` : `versions.edited.${madeBy}`)}
      </span>
      {key && (
        <span className="inline-flex items-center gap-1.5">
          <KeyRound className="size-4 shrink-0" aria-hidden="true" />
          {key.name === null ? t("versions.revokedKey") : t("versions.key", { name: key.name })}
        </span>
      )}
    </p>
  );
}

/**
 * What a version changed. Behind a content warning, of the post or of a compared version, is every text but the warning: an
 * earlier title can have the words that it is about. Behind the mark of sensitive media is their description.
 */
function Changes({ version, before, current }: ShownVersion & { current: CurrentWarnings }) {
  const { t } = useText();
  if (version.cleared) return <Cleared cleared={version.cleared} />;
  const isComparable = before !== undefined && before.cleared === null;
  const rows = isComparable
    ? changedFields(before, version)
    : fieldsOf(version).map((field) => ({ ...field, was: null }));
  const notes = isComparable ? notesOf(before, version) : [];
  const shown = isComparable ? [version, before] : [version];
  // AI may have written the current warning, but not the version whose mark is here.
  const isByAi = current?.provenance === "ai_generated";
  const later = isByAi ? t("versions.field.contentWarning") : current?.contentWarning;
  const warning =
    shown.find((one) => one.contentWarning)?.contentWarning ?? (current?.contentWarning && later);
  const isSensitive = [current, ...shown].some((one) => one?.sensitive);
  const isHidden = ({ name }: Row) => (warning ? name !== "contentWarning" : isSensitive && name === "alt");
  const hidden = rows.filter(isHidden);
  return (
    <>
      <Rows rows={rows.filter((row) => !isHidden(row))} />
      {hidden.length > 0 && (
        <BehindWarning post={{ contentWarning: warning ?? t("card.sensitive") }}>
          <Rows rows={hidden} />
        </BehindWarning>
      )}
      {version.quoteId != null && (
        <p className="text-sm">
          <Link
            to={postAddress(version.quoteId)}
            className="inline-block min-h-6 text-accent underline underline-offset-2"
          >
            {t("versions.quote", { id: version.quoteId })}
          </Link>
        </p>
      )}
      {notes.map((note) => (
        <p key={note} className="text-sm text-soft">
          {t(note)}
        </p>
      ))}
      {before?.cleared && <p className="text-sm text-soft">{t("versions.whole")}</p>}
    </>
  );
}

interface Row {
  name: TextField;
  text: string;
  was: string | null;
}

function Rows({ rows }: { rows: readonly Row[] }) {
  const { t } = useText();
  return rows.map(({ name, text, was }) => (
    <Field key={name} label={name === "body" ? null : t(`versions.field.${name}`)}>
      {was === null ? (
        <p className="theirs whitespace-pre-line">{text}</p>
      ) : (
        <Difference before={was} after={text} />
      )}
    </Field>
  ));
}

function Field({ label, children }: { label: string | null; children: ReactNode }) {
  return (
    <div>
      {label !== null && <p className="text-xs font-semibold text-soft">{label}</p>}
      {children}
    </div>
  );
}

function Cleared({ cleared: { at, by } }: { cleared: NonNullable<Version["cleared"]> }) {
  const { t } = useText();
  return (
    <p className="rounded-lg border border-dashed border-edge px-3 py-2 text-sm text-soft">
      {t(`versions.cleared.${by}`)} · <Time at={at} />
    </p>
  );
}

const textFields = ["title", "contentWarning", "body", "poll", "url", "alt"] as const;
type TextField = (typeof textFields)[number];

function textOf(version: Version, name: TextField): string {
  if (name === "poll") return version.poll?.options.join("\n") ?? "";
  if (name === "alt" && version.alts) return numbered(version.alts).join("\n");
  return version[name] ?? "";
}

function fieldsOf(version: Version): { name: TextField; text: string }[] {
  return textFields.flatMap((name) => {
    const text = textOf(version, name);
    return text === "" ? [] : [{ name, text }];
  });
}

function changedFields(before: Version, after: Version) {
  return textFields.flatMap((name) => {
    const [was, text] = [textOf(before, name), textOf(after, name)];
    return was === text ? [] : [{ name, text, was }];
  });
}

const sensitiveNote = ({ sensitive }: Version) =>
  sensitive ? ("versions.sensitive" as const) : ("versions.notSensitive" as const);

/** Changes other than those of a text. */
function notesOf(before: Version, after: Version): TextKey[] {
  const marked = before.provenance !== after.provenance || before.provenanceBasis !== after.provenanceBasis;
  const products = String(before.productIds) !== String(after.productIds);
  return [
    ...(before.otherMedia && !after.otherMedia ? ["versions.otherMedia" as const] : []),
    ...(before.sensitive === after.sensitive ? [] : [sensitiveNote(after)]),
    ...(products ? ["versions.products" as const] : []),
    ...(marked ? ["versions.marked" as const] : []),
  ];
}
