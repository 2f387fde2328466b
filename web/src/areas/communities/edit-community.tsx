import type { Community } from "@tandem/contract/communities";
import { limits } from "@tandem/contract/limits";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { communityChanged, communityQuery, isStaff, mayEdit } from "../../data/communities.ts";
import { useMe } from "../../data/me.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useNavigate, useParams } from "../../router/provider.tsx";
import { communityAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { page } from "../../shared/page.ts";
import { WithAside } from "../../ui/aside.tsx";
import { BackLink } from "../../ui/back-link.tsx";
import { Button } from "../../ui/button.tsx";
import { CommunityPicture } from "../../ui/community-picture.tsx";
import { NotFoundPage } from "../../ui/error-pages.tsx";
import { TextArea } from "../../ui/field.tsx";
import { FileInput } from "../../ui/file-input.tsx";
import { Form, fieldErrorOf, useFormError } from "../../ui/form.tsx";
import { LazyConfirmDialog } from "../../ui/lazy-confirm-dialog.tsx";
import { PageTitle } from "../../ui/states.tsx";
import { CommunityAside } from "./community-aside.tsx";
import { pictureTypes } from "./picture-types.ts";
import { PolicyField } from "./policy-field.tsx";

export const EditCommunity = page({
  load: ({ api, queryClient, params: { name = "" } }) =>
    queryClient.ensureQueryData(communityQuery(api, name)),
  head: ({ i18n }) => ({ title: i18n._("communities.edit"), unlisted: true }),
  View: EditCommunityView,
});

function EditCommunityView() {
  const { t } = useText();
  const { name = "" } = useParams();
  const { community, moderators = [] } = useQuery(communityQuery(useApi(), name)).data ?? {};
  const me = useMe();
  if (!community || !mayEdit(community, me)) return <NotFoundPage />;
  const mayClose = !community.closed && (community.role === "owner" || me?.role === "admin");
  return (
    <WithAside aside={<CommunityAside community={community} moderators={moderators} />}>
      <div>
        <BackLink to={communityAddress(community.name)}>{community.name}</BackLink>
        <PageTitle>{t("communities.edit")}</PageTitle>
        <div className="card-flush flex flex-col gap-6 p-4 sm:p-6">
          <Picture community={community} />
          <EditForm community={community} />
          {mayClose && <CloseButton name={community.name} />}
          {community.role === "owner" && !community.closed && (
            <p className="text-sm text-soft">{t("communities.howToLeave")}</p>
          )}
        </div>
      </div>
    </WithAside>
  );
}

function Picture({ community }: { community: Community }) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const { name, pictureUrl } = community;
  const save = useAction(
    (api, image: File | null) =>
      image ? api.setCommunityPicture({ name, image }) : api.deleteCommunityPicture({ name }),
    { onSuccess: ({ community: changed }) => communityChanged(queryClient, changed) },
  );
  return (
    <div className="flex flex-wrap items-center gap-4">
      <CommunityPicture community={community} size="size-16" />
      <FileInput
        inputRef={input}
        accept={pictureTypes}
        label={t("communities.picture")}
        onSelect={(image) => save.mutate(image)}
      />
      {isStaff(community) && (
        <Button busy={save.isPending} onClick={() => input.current?.click()}>
          {t("communities.choosePicture")}
        </Button>
      )}
      {pictureUrl !== null && (
        <Button variant="quiet" onClick={() => save.mutate(null)}>
          {t("communities.removePicture")}
        </Button>
      )}
    </div>
  );
}

function EditForm({ community }: { community: Community }) {
  const { t } = useText();
  const { show } = useToasts();
  const queryClient = useQueryClient();
  const { name } = community;
  // As the form has shown it, whatever others have changed meanwhile: only what differs from this is sent.
  const [before, setBefore] = useState({
    description: community.description,
    rules: community.rules,
    aiPolicy: community.aiPolicy ?? "open",
  });
  const [aiPolicy, setPolicy] = useState(before.aiPolicy);
  const save = useAction(
    (api, now: typeof before) => api.editCommunity({ name, ...changesBetween(before, now) }),
    {
      inlineErrors: true,
      onSuccess: ({ community: changed }, now) => {
        setBefore(now);
        communityChanged(queryClient, changed);
        show(t("communities.saved"));
      },
    },
  );
  const error = useFormError(save.error, ["description", "rules"]);
  return (
    <Form
      onSubmit={(values) =>
        save.mutate({
          description: values.description?.trim() || null,
          rules: values.rules?.trim() || null,
          aiPolicy,
        })
      }
      busy={save.isPending}
      error={error}
      submitLabel={t("communities.save")}
    >
      <TextArea
        name="description"
        label={t("communities.description")}
        hint={t("communities.markdownHint")}
        error={fieldErrorOf(error, "description")}
        defaultValue={before.description ?? ""}
        maxLength={limits.communityDescription}
      />
      <TextArea
        name="rules"
        label={t("communities.rules")}
        hint={t("communities.markdownHint")}
        error={fieldErrorOf(error, "rules")}
        defaultValue={before.rules ?? ""}
        maxLength={limits.communityRules}
      />
      <PolicyField value={aiPolicy} onChange={setPolicy} />
    </Form>
  );
}

/** The fields of `now` that aren't as before. */
function changesBetween<T extends object>(before: T, now: T): Partial<T> {
  const names = Object.keys(now) as (keyof T)[];
  return Object.fromEntries(
    names.flatMap((name) => (now[name] === before[name] ? [] : [[name, now[name]]])),
  ) as Partial<T>;
}

function CloseButton({ name }: { name: string }) {
  const { t } = useText();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const close = useAction((api) => api.closeCommunity({ name }), {
    onSuccess: ({ community }) => {
      communityChanged(queryClient, community);
      void navigate({ to: communityAddress(name) });
    },
  });
  return (
    <div className="border-t pt-4">
      <Button variant="danger" onClick={() => setAsking(true)}>
        {t("communities.close")}
      </Button>
      <LazyConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t("communities.closeTitle")}
        action={t("communities.close")}
        description={t("communities.closeDescription")}
        busy={close.isPending}
        onConfirm={() => close.mutate()}
      />
    </div>
  );
}
