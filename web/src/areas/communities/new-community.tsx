import type { AiPolicy } from "@tandem/contract/community-names";
import { limits } from "@tandem/contract/limits";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useStoredDraft } from "../../data/draft-storage.ts";
import { errorMessage } from "../../data/error-messages.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useNavigate } from "../../router/provider.tsx";
import { communityAddress } from "../../shared/addresses.ts";
import { page } from "../../shared/page.ts";
import { Aside, WithAside } from "../../ui/aside.tsx";
import { AsideNotes } from "../../ui/aside-notes.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { TextArea, TextField } from "../../ui/field.tsx";
import { FileInput } from "../../ui/file-input.tsx";
import { Form, fieldErrorOf, useFormError } from "../../ui/form.tsx";
import { PageTitle } from "../../ui/states.tsx";
import { pictureTypes } from "./picture-types.ts";
import { PolicyField } from "./policy-field.tsx";

const blank = { name: "", description: "", rules: "", aiPolicy: "open" as AiPolicy };

export const NewCommunity = page({
  head: ({ i18n }) => ({ title: i18n._("communities.create"), unlisted: true }),
  View: NewCommunityView,
});

/** What its creator will be able to do. */
function Help() {
  const { t } = useText();
  const title = t("communities.help");
  return (
    <Aside label={title}>
      <AsideNotes
        title={title}
        notes={[t("communities.help.owner"), t("communities.help.moderators"), t("communities.help.changes")]}
      />
    </Aside>
  );
}

function NewCommunityView() {
  const { t } = useText();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { showError } = useToasts();
  const [picture, setPicture] = useState<File | null>(null);
  const pictureInput = useRef<HTMLInputElement>(null);
  const stored = useStoredDraft("community", blank);
  const { name, description, rules, aiPolicy } = stored.value;
  const create = useAction(
    async (api) => {
      const community = {
        name: name.trim().toLowerCase(),
        description: description.trim() || null,
        rules: rules.trim() || null,
        aiPolicy,
      };
      const created = await api.createCommunity(community, {
        idempotencyKey: stored.idempotencyKeyFor(community),
      });
      if (!picture) return created;
      // The community is there, whatever becomes of its picture, which can be chosen again.
      return api.setCommunityPicture({ name: created.community.name, image: picture }).catch((cause) => {
        showError(errorMessage(cause, t));
        return created;
      });
    },
    {
      inlineErrors: true,
      onSuccess: ({ community }) => {
        stored.clear();
        void queryClient.invalidateQueries({ queryKey: ["communities", "list"] });
        void navigate({ to: communityAddress(community.name) });
      },
    },
  );
  const error = useFormError(create.error, ["name", "description", "rules"], ({ code }) =>
    code === "name_taken" ? t("communities.nameTaken") : null,
  );
  return (
    <WithAside aside={<Help />}>
      <div>
        <PageTitle description={t("communities.createDescription")}>{t("communities.create")}</PageTitle>
        <div className="card-flush p-4 sm:p-6">
          <Form
            onSubmit={() => create.mutate()}
            busy={create.isPending}
            error={error}
            submitLabel={t("communities.create")}
            secondaryAction={<ButtonLink to="/communities">{t("common.cancel")}</ButtonLink>}
          >
            <TextField
              name="name"
              label={t("communities.name")}
              hint={t("communities.nameHint", limits.communityName)}
              error={fieldErrorOf(error, "name")}
              value={name}
              onValueChange={(value) => stored.change({ name: value })}
              minLength={limits.communityName.min}
              maxLength={limits.communityName.max}
              pattern="[A-Za-z0-9_]+"
              title={t("communities.nameInvalid")}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              required
            />
            <TextArea
              name="description"
              label={t("communities.description")}
              hint={t("communities.markdownHint")}
              error={fieldErrorOf(error, "description")}
              value={description}
              onChange={({ target }) => stored.change({ description: target.value })}
              maxLength={limits.communityDescription}
            />
            <TextArea
              name="rules"
              label={t("communities.rules")}
              hint={t("communities.markdownHint")}
              error={fieldErrorOf(error, "rules")}
              value={rules}
              onChange={({ target }) => stored.change({ rules: target.value })}
              maxLength={limits.communityRules}
            />
            <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
              <FileInput
                inputRef={pictureInput}
                accept={pictureTypes}
                label={t("communities.picture")}
                onSelect={setPicture}
              />
              <Button onClick={() => pictureInput.current?.click()}>{t("communities.choosePicture")}</Button>
              <span aria-live="polite" className="theirs-line min-w-0 flex-1 basis-40 text-sm text-soft">
                {picture?.name ?? t("communities.optional")}
              </span>
            </div>
            <PolicyField value={aiPolicy} onChange={(policy) => stored.change({ aiPolicy: policy })} />
          </Form>
        </div>
      </div>
    </WithAside>
  );
}
