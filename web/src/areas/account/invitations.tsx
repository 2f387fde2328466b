import { limits } from "@tandem/contract/limits";
import type { Invitation } from "@tandem/contract/registration";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useMe } from "../../data/me.ts";
import { invitationsQuery } from "../../data/registration.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy.tsx";
import { Field, Select } from "../../ui/field.tsx";
import { Form, fieldErrorOf, useFormError } from "../../ui/form.tsx";
import { Panel, SkeletonLines } from "./panel.tsx";

/** Invitations to sign up: creating, sharing and revoking them. */
export function InvitationsSection() {
  const { t } = useText();
  const { data: invitations } = useQuery(invitationsQuery(useApi()));
  return (
    <>
      <NewInvitation />
      <Panel title={t("account.yourInvitations")}>
        {!invitations && <SkeletonLines />}
        {invitations?.length === 0 && <p className="text-soft">{t("account.noInvitations")}</p>}
        <ul className="empty:hidden">
          {invitations?.map((invitation) => (
            <InvitationItem key={invitation.id} {...invitation} />
          ))}
        </ul>
      </Panel>
    </>
  );
}

function useRefresh() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: ["account", "invitations"] });
}

/** The choices of how long an invitation works. */
const DAYS = [1, limits.invitationDays.default, 30];

function NewInvitation() {
  const { t } = useText();
  const me = useMe();
  const { show } = useToasts();
  const refresh = useRefresh();
  const create = useAction(
    (api, { uses, days }: { uses: number; days: number }) => api.createInvitation({ uses, days }),
    {
      inlineErrors: true,
      onSuccess: () => {
        show(t("account.invitationCreated"));
        return refresh();
      },
    },
  );
  const { person, admin } = limits.invitationUses;
  const formError = useFormError(create.error, ["uses"], ({ code, message }) =>
    code === "forbidden" ? message : null,
  );
  return (
    <Panel title={t("account.invite")} description={t("account.inviteDescription")}>
      <Form
        onSubmit={({ uses, days }) => create.mutate({ uses: Number(uses), days: Number(days) })}
        busy={create.isPending}
        error={formError}
        submitLabel={t("account.createInvitation")}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            name="uses"
            type="number"
            label={t("account.invitationUses")}
            defaultValue={1}
            min={1}
            max={me?.role === "admin" ? admin : person}
            required
            error={fieldErrorOf(formError, "uses")}
          />
          <Select
            name="days"
            label={t("account.invitationDays")}
            defaultValue={limits.invitationDays.default}
          >
            {DAYS.map((days) => (
              <option key={days} value={days}>
                {t("account.days", { days })}
              </option>
            ))}
          </Select>
        </div>
      </Form>
    </Panel>
  );
}

function InvitationItem({ id, url, uses, used, expiresAt }: Invitation) {
  const { t, locale } = useText();
  const refresh = useRefresh();
  const link = useRef<HTMLParagraphElement>(null);
  const revoke = useAction((api) => api.revokeInvitation({ id }), { onSuccess: refresh });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" });
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t py-3 first:border-t-0">
      <div className="min-w-0 flex-1 basis-60">
        <p ref={link} className="font-mono text-sm wrap-anywhere">
          {url}
        </p>
        <p className="text-sm text-soft">
          {t("account.invitationState", { used, uses, date: date.format(Date.parse(expiresAt)) })}
        </p>
      </div>
      <div className="flex gap-1">
        <CopyButton text={url} target={link} className="min-h-10" />
        <Button size="small" className="min-h-10" onClick={() => revoke.mutate()} busy={revoke.isPending}>
          {t("account.revokeInvitation")}
        </Button>
      </div>
    </li>
  );
}
