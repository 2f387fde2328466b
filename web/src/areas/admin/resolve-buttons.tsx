import type { ReportCase } from "@tandem/contract/moderation";
import { isPossible, type Resolution, resolutionNames } from "@tandem/contract/moderation-names";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { adminKey } from "../../data/admin.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { LazyModerationDialog } from "../../posts/lazy-moderation-dialog.tsx";
import type { ModerationInput } from "../../posts/moderation-dialog.tsx";
import { fullName } from "../../shared/full-name.ts";
import { Button } from "../../ui/button.tsx";
import { ExcerptBadge } from "../../ui/excerpt-badge.tsx";

const isUseful = (action: Resolution, target: ReportCase["target"]): boolean => {
  if (!isPossible(action, target.kind)) return false;
  if (action === "remove_avatar") return target.avatarUrl !== null;
  if (action === "remove_banner") return target.bannerUrl !== null;
  if (action === "remove_picture") return target.pictureUrl !== null;
  return true;
};

/** Resolves report cases in one request: all in the same way, each after a dialog that asks for the reason. */
export function ResolveButtons({
  cases,
  name,
  disabled = false,
  onDone,
}: {
  cases: readonly ReportCase[];
  /** What was reported, if it is a single thing, for the buttons' names. */
  name?: string;
  disabled?: boolean;
  onDone(): void;
}) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const { show } = useToasts();
  const [action, setAction] = useState<Resolution | null>(null);
  const resolve = useAction(
    (api, { action, reason, until }: ModerationInput & { action: Resolution }) =>
      api.resolveReports({ ids: cases.map(({ id }) => id), action, reason, ...(until && { until }) }),
    {
      inlineErrors: true,
      onSuccess: (response, { done }) => {
        done();
        setAction(null);
        onDone();
        void queryClient.invalidateQueries({ queryKey: adminKey });
        void queryClient.invalidateQueries({ queryKey: ["posts"] });
        show(t("admin.resolvedCount", { count: response.cases.length }));
      },
    },
  );
  const owner = cases.length === 1 ? cases[0]?.target : null;
  const reportCount = cases.reduce((sum, { reportCount }) => sum + reportCount, 0);
  return (
    <>
      {resolutionNames
        .filter((each) => cases.every(({ target }) => isUseful(each, target)))
        .map((each) => (
          <Button
            key={each}
            size="small"
            {...(each !== "dismiss" && { variant: "danger" })}
            disabled={disabled}
            aria-label={name && `${t(`admin.${each}`)}: ${name}`}
            onClick={() => setAction(each)}
          >
            {t(`admin.${each}`)}
          </Button>
        ))}
      {action && (
        <LazyModerationDialog
          draftKey={`${action}.${cases.map(({ id }) => id).join(".")}`}
          title={
            action === "suspend" && owner?.username
              ? t("admin.suspendNamed", { name: fullName(owner.username, owner.displayName) })
              : t(`admin.${action}Title`, { count: action === "dismiss" ? reportCount : cases.length })
          }
          subject={owner && name !== undefined && <Subject target={owner} name={name} />}
          action={t(`admin.${action}`)}
          hasTerm={action === "suspend"}
          busy={resolve.isPending}
          error={resolve.error}
          onClose={() => setAction(null)}
          onSubmit={(input) => resolve.mutate({ ...input, action })}
        />
      )}
    </>
  );
}

/** What the reports are about, for the dialog. */
function Subject({ target, name }: { target: ReportCase["target"]; name: string }) {
  const { t } = useText();
  return (
    <>
      <span className="font-semibold">{t(`admin.kind.${target.kind}`)}</span> <ExcerptBadge {...target} />{" "}
      {name}
    </>
  );
}
