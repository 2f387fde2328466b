import { LINK_PROOF_PATH } from "@tandem/contract/documents";
import { limits } from "@tandem/contract/limits";
import type { ProfileLink, User } from "@tandem/contract/resources";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus, RotateCw, X } from "lucide-react";
import { useState } from "react";
import { useStoredDraft } from "../../data/draft-storage.ts";
import { meQuery } from "../../data/me.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { creatorAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Code } from "../../ui/copy.tsx";
import { Form, fieldErrorOf, useFormError } from "../../ui/form.tsx";
import { LinkField } from "../../ui/link-field.tsx";
import { useBaseUrl } from "../../ui/use-base-url.ts";
import { VerifiedTick } from "../../ui/verified-tick.tsx";
import { Panel } from "./panel.tsx";

/** Milliseconds between two looks for the result of a check, and until the page stops looking. */
const POLL = 2_000;
const PATIENCE = 60_000;

const isWaiting = ({ checkedAt }: ProfileLink) => checkedAt === null;

/** Edits the links on the profile, and shows which are verified. */
export function LinksPanel({ me }: { me: User }) {
  const { t } = useText();
  const api = useApi();
  const queryClient = useQueryClient();
  const { show } = useToasts();
  const [requestedAt, setRequestedAt] = useState(0);
  useQuery({
    ...meQuery(api),
    refetchInterval: ({ state }) =>
      state.data?.links.some(isWaiting) && Date.now() - requestedAt < PATIENCE ? POLL : false,
  });
  const stored = useStoredDraft("profile-links", { urls: me.links.map(({ url }) => url) });
  const urls = stored.value.urls.length > 0 ? stored.value.urls : [""];
  const onSuccess = ({ user }: { user: User }) => {
    queryClient.setQueryData(meQuery(api).queryKey, user);
    setRequestedAt(Date.now());
  };
  const save = useAction((api) => api.editProfile({ links: urls.map((url) => url.trim()).filter(Boolean) }), {
    inlineErrors: true,
    onSuccess: (response) => {
      stored.clear();
      onSuccess(response);
      show(t("account.linksSaved"));
    },
  });
  const check = useAction((api) => api.checkProfileLinks(), { onSuccess });
  const formError = useFormError(save.error, ["links"]);
  const error = fieldErrorOf(formError, "links");
  const change = (index: number, url: string) => stored.change({ urls: urls.with(index, url) });
  return (
    <Panel title={t("account.links")} description={t("account.linksDescription")}>
      <Form
        onSubmit={() => save.mutate()}
        busy={save.isPending}
        error={formError}
        submitLabel={t("account.saveLinks")}
        secondaryAction={
          me.links.length > 0 && (
            <Button busy={check.isPending} onClick={() => check.mutate()}>
              <RotateCw className="size-4" aria-hidden="true" />
              {t("account.checkLinks")}
            </Button>
          )
        }
      >
        {urls.map((url, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the fields have no other identity, and keep no state
          <div key={i} className="flex flex-col gap-1">
            <div className="flex items-end gap-2">
              <LinkField
                name={`links.${i}`}
                className="min-w-0 flex-1"
                label={t("account.link", { number: i + 1 })}
                value={url}
                onValueChange={(text) => change(i, text)}
                readOnly={save.isPending}
                maxLength={limits.url}
                placeholder="https://"
              />
              <IconButton
                label={t("account.removeLink", { number: i + 1 })}
                onClick={() => stored.change({ urls: urls.toSpliced(i, 1) })}
              >
                <X className="size-5" aria-hidden="true" />
              </IconButton>
            </div>
            <LinkStatus link={me.links.find((link) => link.url === url)} />
          </div>
        ))}
        {urls.length < limits.profileLinks && (
          <Button size="small" className="self-start" onClick={() => stored.change({ urls: [...urls, ""] })}>
            <Plus className="size-4" aria-hidden="true" />
            {t("account.addLink")}
          </Button>
        )}
        {error && (
          <p role="alert" className="text-sm font-medium text-danger">
            {error}
          </p>
        )}
      </Form>
      <HowToVerify username={me.username} />
    </Panel>
  );
}

/** What the last check found. Nothing for a link that isn't saved yet. */
function LinkStatus({ link }: { link: ProfileLink | undefined }) {
  const { t } = useText();
  if (!link) return null;
  const { verifiedAt, problem } = link;
  return (
    <div role="status" className="flex flex-col text-sm text-soft">
      {verifiedAt !== null && <VerifiedTick at={verifiedAt} hasText />}
      {isWaiting(link) ? (
        <p>{t("account.linkWaiting")}</p>
      ) : (
        problem && <p>{t(verifiedAt === null ? `account.link.${problem}` : "account.linkFailing")}</p>
      )}
    </div>
  );
}

function HowToVerify({ username }: { username: string }) {
  const { t } = useText();
  const baseUrl = useBaseUrl();
  const profile = baseUrl + creatorAddress({ platform: "native", author: username });
  return (
    <details className="rounded-xl border px-4 py-3">
      <summary className="cursor-pointer font-semibold">{t("account.howToVerify")}</summary>
      <div className="mt-3 flex flex-col gap-3">
        <p className="text-soft">{t("account.howToVerifyPage")}</p>
        <Code title="HTML" text={`<a rel="me" href="${profile}">Tandem</a>`} />
        <p className="text-soft">{t("account.howToVerifySite")}</p>
        <Code title={LINK_PROOF_PATH} text={JSON.stringify({ accounts: [profile] }, null, 2)} />
        <p className="text-soft">{t("account.howToVerifyAgain")}</p>
      </div>
    </details>
  );
}
