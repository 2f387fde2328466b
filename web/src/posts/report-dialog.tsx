import { limits } from "@tandem/contract/limits";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, Fragment, useId, useState } from "react";
import { communityQuery } from "../data/communities.ts";
import { useStoredDraft } from "../data/draft-storage.ts";
import { useToasts } from "../data/toasts.ts";
import { useAction } from "../data/use-action.ts";
import { useText } from "../i18n/use-text.tsx";
import { useApi } from "../shared/context.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ErrorNotice } from "../ui/error-notice.tsx";
import { TextArea } from "../ui/field.tsx";
import { MarkdownText } from "./markdown-text.tsx";

const reasons = [
  "spam",
  "undeclared",
  "impersonation",
  "harm",
  "sexual",
  "violence",
  "illegal",
  "rules",
  "other",
] as const;
type Reason = (typeof reasons)[number];

/** What is reported. */
type Target = { postId: number } | { commentId: number } | { username: string } | { community: string };

interface ReportDraft {
  reason: Reason;
  note: string;
  toAdmins: boolean;
}

/**
 * Reports something to the moderators. The input is kept if sending fails or the dialog closes; Cancel
 * discards it.
 */
export function ReportDialog({
  target,
  community = null,
  onClose,
}: {
  target: Target;
  /** The community of this service that it is in, whose moderators get the report. */
  community?: string | null;
  onClose(): void;
}) {
  const { t } = useText();
  const { show } = useToasts();
  const stored = useStoredDraft<ReportDraft>(`report.${JSON.stringify(target)}`, {
    reason: "spam",
    note: "",
    toAdmins: false,
  });
  const { reason, note, toAdmins } = stored.value;
  const rules = useRules(community);
  // Until the dialog closes: an option that came or went would move those below it under the pointer.
  const [offersRules, setOffersRules] = useState(rules !== null);
  if (reason === "rules" && !offersRules) setOffersRules(true);
  const canImpersonate = "username" in target || "community" in target;
  const available = reasons.filter(
    (reason) => (canImpersonate || reason !== "impersonation") && (offersRules || reason !== "rules"),
  );
  const discard = () => {
    stored.clear();
    onClose();
  };
  const send = useAction(
    (api) => {
      const report = {
        ...{ ...target, reason: t(`card.reason.${reason}`), note: note.trim() || null },
        ...(reason === "illegal" && { illegal: true }),
        ...(community !== null && toAdmins && { toAdmins }),
      };
      return api.createReport(report, { idempotencyKey: stored.idempotencyKeyFor(report) });
    },
    {
      inlineErrors: true,
      onSuccess: () => {
        discard();
        show(t("community" in target ? "card.reportedToAdmins" : "card.reported"));
      },
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send.mutate();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("card.report")}
      description={
        "community" in target
          ? t("card.reportCommunity")
          : community === null
            ? t("card.reportDescription")
            : t("card.reportToCommunity", { community })
      }
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Reasons
          available={available}
          rules={rules ?? null}
          selected={reason}
          onSelect={(reason) => stored.change({ reason })}
        />
        <TextArea
          label={t("card.reportNote")}
          value={note}
          readOnly={send.isPending}
          onChange={(event) => stored.change({ note: event.target.value })}
          maxLength={limits.moderationText}
        />
        {community !== null && reason !== "illegal" && (
          <label className="flex min-h-10 items-center gap-3">
            <input
              type="checkbox"
              className="size-5"
              checked={toAdmins}
              onChange={(event) => stored.change({ toAdmins: event.target.checked })}
            />
            {t("card.reportToAdmins")}
          </label>
        )}
        <ErrorNotice error={send.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={discard}>{t("common.cancel")}</Button>
          <Button type="submit" variant="primary" busy={send.isPending}>
            {t("card.reportSend")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The rules of a community of this service; null without any, undefined until they are loaded. */
function useRules(community: string | null): string | null | undefined {
  const query = communityQuery(useApi(), community ?? "");
  const { data } = useQuery({ ...query, enabled: community !== null });
  if (community === null) return null;
  return data && (data.community.rules || null);
}

/** They may be long, so they scroll. */
function Rules({ text }: { text: string }) {
  const { t } = useText();
  return (
    <section
      aria-label={t("card.communityRules")}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard.
      tabIndex={0}
      className="mb-1 ms-8 max-h-40 overflow-y-auto rounded-xl bg-sunken px-3 py-2 text-sm"
    >
      <MarkdownText text={text} />
    </section>
  );
}

function Reasons({
  available,
  rules,
  selected,
  onSelect,
}: {
  available: readonly Reason[];
  /** Shown below that reason once it is selected. */
  rules: string | null;
  selected: Reason;
  onSelect(reason: Reason): void;
}) {
  const { t } = useText();
  const name = useId();
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-semibold">{t("card.reportReason")}</legend>
      {available.map((reason) => (
        <Fragment key={reason}>
          <label className="flex min-h-10 items-center gap-3">
            <input
              type="radio"
              name={name}
              checked={selected === reason}
              onChange={() => onSelect(reason)}
              className="size-5"
            />
            {t(`card.reason.${reason}`)}
          </label>
          {reason === "rules" && selected === reason && rules !== null && <Rules text={rules} />}
        </Fragment>
      ))}
    </fieldset>
  );
}
