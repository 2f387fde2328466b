import { limits } from "@tandem/contract/limits";
import type { Decision } from "@tandem/contract/moderation";
import { isAboutAccount } from "@tandem/contract/moderation-names";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useStoredDraft } from "../../data/draft-storage.ts";
import { useMe } from "../../data/me.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { communityAddress, postAddress } from "../../shared/addresses.ts";
import { fullName } from "../../shared/full-name.ts";
import { Button } from "../../ui/button.tsx";
import { ExcerptBadge } from "../../ui/excerpt-badge.tsx";
import { TextArea } from "../../ui/field.tsx";
import { Form, fieldErrorOf, useFormError } from "../../ui/form.tsx";
import { Link } from "../../ui/link.tsx";
import { Deadline, Time } from "../../ui/time.tsx";
import { Badge } from "./panel.tsx";

/**
 * A moderation decision with its statement of reasons: what was done to what, why, who decided it, for how long, and
 * the appeal.
 */
export function DecisionCard({ decision }: { decision: Decision }) {
  const { t } = useText();
  const me = useMe();
  const { act, excerpt, reason, strike, until, stands, appeal, createdAt, username, displayName, postId } =
    decision;
  const isRemovedPost = act === "remove_post" || act === "community_remove_post";
  return (
    <li className="card-flush flex flex-col gap-3 p-5">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="font-bold">{t(`account.act.${act}`)}</h2>
        <Badge bad={stands}>{t(stands ? "account.active" : "account.ended")}</Badge>
        {strike && stands && <Badge bad>{t("account.strike")}</Badge>}
        <Time at={createdAt} className="ms-auto text-sm text-soft" />
      </div>
      {excerpt && !isAboutAccount(act) && (
        <blockquote className="theirs border-s-2 ps-3 text-soft">
          <ExcerptBadge {...decision} />{" "}
          {postId !== null && !isRemovedPost ? (
            <Link to={postAddress(postId)} className="hover:underline">
              {excerpt}
            </Link>
          ) : (
            excerpt
          )}
        </blockquote>
      )}
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm [&_dt]:text-soft">
        <dt>{t("account.reason")}</dt>
        <dd className="theirs">{reason}</dd>
        {username !== null && username !== me?.username && (
          <>
            <dt>{t("account.subject")}</dt>
            <dd className="theirs">{fullName(username, displayName)}</dd>
          </>
        )}
        <dt>{t("account.decidedBy")}</dt>
        <dd>
          <DecidedBy decision={decision} />
        </dd>
        {(act === "suspend" || act === "community_ban") && (
          <>
            <dt>{t("account.until")}</dt>
            <dd>{until ? <Deadline at={until} /> : t("account.permanent")}</dd>
          </>
        )}
      </dl>
      {strike && stands && <p className="text-sm text-soft">{t("account.strikeHint")}</p>}
      {appeal ? (
        <SubmittedAppeal appeal={appeal} />
      ) : (
        stands && me?.role !== "agent" && <AppealForm id={decision.id} />
      )}
    </li>
  );
}

function DecidedBy({ decision: { automated, community } }: { decision: Decision }) {
  const { t } = useText();
  if (community === null) return t(automated ? "account.byRule" : "account.byModerator");
  return (
    <Link to={communityAddress(community)} className="theirs inline-block min-h-6 leading-6 underline">
      {t("account.byCommunity", { community })}
    </Link>
  );
}

function SubmittedAppeal({
  appeal: { text, state, answer, createdAt },
}: {
  appeal: NonNullable<Decision["appeal"]>;
}) {
  const { t } = useText();
  return (
    <div className="rounded-xl bg-sunken p-4 text-sm">
      <p className="flex flex-wrap items-center gap-2 font-semibold">
        {t("account.yourAppeal")}
        <Badge good={state === "accepted"} bad={state === "rejected"}>
          {t(`account.appeal.${state}`)}
        </Badge>
        <Time at={createdAt} className="font-normal text-soft" />
      </p>
      <p className="theirs mt-1 whitespace-pre-line">{text}</p>
      {answer && (
        <>
          <p className="mt-3 font-semibold">{t("account.answer")}</p>
          <p className="theirs mt-1 whitespace-pre-line">{answer}</p>
        </>
      )}
    </div>
  );
}

function AppealForm({ id }: { id: number }) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const { show } = useToasts();
  const [isOpen, setOpen] = useState(false);
  const stored = useStoredDraft(`appeal.${id}`, { text: "" });
  const { text } = stored.value;
  const send = useAction((api) => api.createAppeal({ decisionId: id, text }), {
    inlineErrors: true,
    onSuccess: () => {
      stored.clear();
      show(t("account.appealSent"));
      return queryClient.invalidateQueries({ queryKey: ["standing", "decisions"] });
    },
  });
  const formError = useFormError(send.error, ["text"]);
  if (!isOpen && !stored.isRestored)
    return (
      <Button className="self-start" onClick={() => setOpen(true)}>
        {t("account.appeal")}
      </Button>
    );
  const cancel = () => {
    stored.clear();
    setOpen(false);
  };
  return (
    <Form
      onSubmit={() => send.mutate()}
      busy={send.isPending}
      error={formError}
      submitLabel={t("account.appealSubmit")}
      secondaryAction={<Button onClick={cancel}>{t("common.cancel")}</Button>}
    >
      <TextArea
        name="text"
        label={t("account.appealText")}
        hint={t("account.appealHint")}
        maxLength={limits.moderationText}
        required
        value={text}
        readOnly={send.isPending}
        onChange={({ target }) => stored.change({ text: target.value })}
        error={fieldErrorOf(formError, "text")}
      />
    </Form>
  );
}
