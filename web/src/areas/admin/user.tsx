import type { Account, Decision, JudgedKey } from "@tandem/contract/moderation";
import { isAboutAccount, type ProfilePicture } from "@tandem/contract/moderation-names";
import { type Tier, tierNames } from "@tandem/contract/tiers";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { accountQuery, adminKey } from "../../data/admin.ts";
import { useMe } from "../../data/me.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { LazyModerationDialog } from "../../posts/lazy-moderation-dialog.tsx";
import type { ModerationInput } from "../../posts/moderation-dialog.tsx";
import { creatorAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { fullName } from "../../shared/full-name.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Byline, BylineItem } from "../../ui/byline.tsx";
import { ExcerptBadge } from "../../ui/excerpt-badge.tsx";
import { Select } from "../../ui/field.tsx";
import { Link } from "../../ui/link.tsx";
import { LocalName } from "../../ui/local-name.tsx";
import { SkeletonCards } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { useStepUp } from "../../ui/use-step-up.tsx";
import { BannerThumbnail } from "./banner-thumbnail.tsx";
import { AdminPage } from "./layout.tsx";

/** One account: its state, its keys, and the decisions about it. */
export function UserPage({ id }: { id: number }) {
  const { t } = useText();
  const { data: account } = useQuery(accountQuery(useApi(), id));
  return (
    <AdminPage section="users">
      <Link
        to="/admin/users"
        className="mb-2 inline-block min-h-6 content-center px-4 text-sm text-accent underline sm:px-0"
      >
        {t("admin.allUsers")}
      </Link>
      {account ? (
        <div className="flex flex-col gap-4">
          <AccountHeader user={account.user} />
          <KeyList keys={account.keys} />
          <DecisionList decisions={account.decisions} />
        </div>
      ) : (
        <SkeletonCards />
      )}
    </AdminPage>
  );
}

function useRefresh() {
  const queryClient = useQueryClient();
  const { show } = useToasts();
  return (message: string) => {
    void queryClient.invalidateQueries({ queryKey: adminKey });
    show(message);
  };
}

function AccountHeader({
  user: {
    id,
    username,
    displayName,
    avatarUrl,
    bannerUrl,
    role,
    operator,
    operatorDisplayName,
    suspendedUntil,
    strikesEndAt,
    invitedBy,
    invitedByDisplayName,
    createdAt,
  },
}: {
  user: Account;
}) {
  const { t, locale } = useText();
  const me = useMe();
  const refresh = useRefresh();
  const [isSuspending, setSuspending] = useState(false);
  const suspend = useAction(
    (api, { reason, until }: ModerationInput) => api.suspendAccount({ id, reason, ...(until && { until }) }),
    {
      inlineErrors: true,
      onSuccess: (_, { done }) => {
        done();
        setSuspending(false);
        refresh(t("admin.done"));
      },
    },
  );
  const lift = useAction((api) => api.liftSuspension({ id }), { onSuccess: () => refresh(t("admin.done")) });
  const [removing, setRemoving] = useState<ProfilePicture | null>(null);
  const removePicture = useAction(
    (api, { picture, reason }: ModerationInput & { picture: ProfilePicture }) =>
      api.removeProfilePicture({ id, picture, reason }),
    {
      inlineErrors: true,
      onSuccess: (_, { done }) => {
        done();
        setRemoving(null);
        refresh(t("admin.done"));
      },
    },
  );
  const stepUp = useStepUp();
  const changeRole = useAction(
    (api, newRole: "user" | "admin") => stepUp.run(() => api.setRole({ id, role: newRole })),
    {
      onSuccess: () => refresh(t("admin.done")),
    },
  );
  const date = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" });
  return (
    <section className="card-flush flex flex-col gap-3 p-4">
      {(avatarUrl !== null || bannerUrl !== null) && (
        <div className="flex items-center gap-3">
          {avatarUrl !== null && (
            <Avatar name={displayName ?? username} src={avatarUrl} isAgent={role === "agent"} size="large" />
          )}
          {bannerUrl !== null && <BannerThumbnail src={bannerUrl} />}
        </div>
      )}
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2 className="min-w-0 text-lg">
          <Link
            to={creatorAddress({ platform: "native", author: username })}
            className="inline-flex max-w-full min-w-0 hover:underline"
          >
            <LocalName username={username} displayName={displayName} />
          </Link>
        </h2>
        <span className="text-soft">{t(`admin.role.${role}`)}</span>
        {operator && (
          <span className="theirs text-soft">
            {t("admin.operator", { name: fullName(operator, operatorDisplayName) })}
          </span>
        )}
        {invitedBy && (
          <span className="theirs text-soft">
            {t("admin.invitedBy", { name: fullName(invitedBy, invitedByDisplayName) })}
          </span>
        )}
        <span className="text-sm text-soft">
          {t("admin.joined")} <Time at={createdAt} />
        </span>
      </div>
      {suspendedUntil && (
        <p className="rounded-xl bg-danger-soft p-3 text-sm text-danger">
          {t("admin.suspendedUntil", { date: date.format(Date.parse(suspendedUntil)) })}
        </p>
      )}
      {strikesEndAt && (
        <p className="rounded-xl bg-sunken p-3 text-sm">
          {t("admin.strikesUntil", { date: date.format(Date.parse(strikesEndAt)) })}
        </p>
      )}
      <ButtonLink to={creatorAddress({ platform: "native", author: username })} className="self-start">
        {t("admin.profile")}
      </ButtonLink>
      {me?.id !== id && (
        <div className="flex flex-wrap gap-2">
          {suspendedUntil ? (
            <Button busy={lift.isPending} onClick={() => lift.mutate()}>
              {t("admin.lift")}
            </Button>
          ) : (
            <Button variant="danger" onClick={() => setSuspending(true)}>
              {t("admin.suspend")}
            </Button>
          )}
          {avatarUrl !== null && (
            <Button variant="danger" onClick={() => setRemoving("avatar")}>
              {t("admin.remove_avatar")}
            </Button>
          )}
          {bannerUrl !== null && (
            <Button variant="danger" onClick={() => setRemoving("banner")}>
              {t("admin.remove_banner")}
            </Button>
          )}
          {role !== "agent" && (
            <Button
              busy={changeRole.isPending}
              onClick={() => changeRole.mutate(role === "admin" ? "user" : "admin")}
            >
              {t(role === "admin" ? "admin.demote" : "admin.promote")}
            </Button>
          )}
        </div>
      )}
      {stepUp.dialog}
      {removing && (
        <LazyModerationDialog
          draftKey={`remove.${removing}.${id}`}
          title={t(`admin.remove_${removing}Title`, { count: 1 })}
          action={t(`admin.remove_${removing}`)}
          busy={removePicture.isPending}
          error={removePicture.error}
          onClose={() => setRemoving(null)}
          onSubmit={(input) => removePicture.mutate({ ...input, picture: removing })}
        />
      )}
      {isSuspending && (
        <LazyModerationDialog
          draftKey={`suspend.account.${id}`}
          title={t("admin.suspendNamed", { name: fullName(username, displayName) })}
          action={t("admin.suspend")}
          hasTerm
          busy={suspend.isPending}
          error={suspend.error}
          onClose={() => setSuspending(false)}
          onSubmit={(input) => suspend.mutate(input)}
        />
      )}
    </section>
  );
}

function KeyList({ keys }: { keys: readonly JudgedKey[] }) {
  const { t } = useText();
  if (keys.length === 0) return null;
  return (
    <section className="card-flush p-4">
      <h2 className="mb-2 font-semibold">{t("admin.keys")}</h2>
      <ul className="flex flex-col gap-3">
        {keys.map((key) => (
          <KeyRow key={key.id} apiKey={key} />
        ))}
      </ul>
    </section>
  );
}

function KeyRow({
  apiKey: { id, name, hint, username, displayName, tier, acceptedWrites },
}: {
  apiKey: JudgedKey;
}) {
  const { t } = useText();
  const refresh = useRefresh();
  const changeTier = useAction((api, newTier: Tier) => api.setKeyTier({ id, tier: newTier }), {
    onSuccess: () => refresh(t("admin.done")),
  });
  return (
    <li className="flex flex-wrap items-end justify-between gap-3 border-t pt-3 first:border-t-0 first:pt-0">
      <div className="min-w-0">
        <p className="theirs-heading font-medium">{name}</p>
        <Byline>
          <BylineItem dot={false}>
            <code>{hint}</code>
          </BylineItem>
          <BylineItem>
            <LocalName username={username} displayName={displayName} />
          </BylineItem>
          <BylineItem>{t("admin.keySummary", { writes: acceptedWrites })}</BylineItem>
        </Byline>
      </div>
      <Select
        label={t("admin.tier")}
        value={tier}
        disabled={changeTier.isPending}
        onChange={(event) => {
          const newTier = tierNames.find((name) => name === event.target.value);
          if (newTier) changeTier.mutate(newTier);
        }}
      >
        {tierNames.map((name) => (
          <option key={name} value={name}>
            {t(`admin.tier.${name}`)}
          </option>
        ))}
      </Select>
    </li>
  );
}

function DecisionList({ decisions }: { decisions: readonly Decision[] }) {
  const { t } = useText();
  if (decisions.length === 0) return null;
  return (
    <section className="card-flush p-4">
      <h2 className="mb-2 font-semibold">{t("admin.decisions")}</h2>
      <ul className="flex flex-col gap-3">
        {decisions.map((decision) => (
          <DecisionRow key={decision.id} decision={decision} />
        ))}
      </ul>
    </section>
  );
}

function DecisionRow({ decision }: { decision: Decision }) {
  const { t } = useText();
  const refresh = useRefresh();
  const { act, postId, commentId, reason, excerpt, stands, automated, createdAt } = decision;
  const restore = useAction(
    async (api) => {
      if (commentId !== null) await api.restoreComment({ id: commentId });
      else if (postId !== null) await api.restorePost({ id: postId });
    },
    { onSuccess: () => refresh(t("admin.restored")) },
  );
  const restorable = stands && !isAboutAccount(act) && (commentId ?? postId) !== null;
  return (
    <li className="flex flex-wrap items-start justify-between gap-2 border-t pt-3 first:border-t-0 first:pt-0">
      <div className="min-w-0">
        <p className="text-sm text-soft">
          <span className="font-semibold text-ink">{t(`admin.act.${act}`)}</span> · <Time at={createdAt} />
          {automated && ` · ${t("admin.automated")}`}
          {!stands && ` · ${t("admin.overturned")}`}
        </p>
        {!isAboutAccount(act) && (
          <p className="theirs line-clamp-2">
            <ExcerptBadge {...decision} /> {excerpt}
          </p>
        )}
        <p className="theirs text-sm text-soft">{reason}</p>
      </div>
      {restorable && (
        <Button size="small" busy={restore.isPending} onClick={() => restore.mutate()}>
          {t("admin.restore")}
        </Button>
      )}
    </li>
  );
}
