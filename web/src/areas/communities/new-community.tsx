import type { AiPolicy } from "@tandem/contract/community-names";
import { limits } from "@tandem/contract/limits";
import { useQueryClient } from "@tanstack/react-query";
import { useStoredDraft } from "../../data/draft-storage.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useNavigate } from "../../router/provider.tsx";
import { communityAddress } from "../../shared/addresses.ts";
import { page } from "../../shared/page.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { TextArea, TextField } from "../../ui/field.tsx";
import { Form, fieldErrorOf, useFormError } from "../../ui/form.tsx";
import { PageTitle } from "../../ui/states.tsx";
import { PolicyField } from "./policy-field.tsx";

const blank = { name: "", description: "", rules: "", aiPolicy: "open" as AiPolicy };

export const NewCommunity = page({
  head: ({ i18n }) => ({ title: i18n._("communities.create"), unlisted: true }),
  View: NewCommunityView,
});

function NewCommunityView() {
  const { t } = useText();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const stored = useStoredDraft("community", blank);
  const { name, description, rules, aiPolicy } = stored.value;
  const create = useAction(
    (api) => {
      const community = {
        name: name.trim().toLowerCase(),
        description: description.trim() || null,
        rules: rules.trim() || null,
        aiPolicy,
      };
      return api.createCommunity(community, { idempotencyKey: stored.idempotencyKeyFor(community) });
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
  const error = useFormError(create.error, ["name", "description", "rules"]);
  return (
    <div className="column">
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
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
          />
          <TextArea
            name="description"
            label={t("communities.description")}
            error={fieldErrorOf(error, "description")}
            value={description}
            onChange={({ target }) => stored.change({ description: target.value })}
            maxLength={limits.communityDescription}
          />
          <TextArea
            name="rules"
            label={t("communities.rules")}
            error={fieldErrorOf(error, "rules")}
            value={rules}
            onChange={({ target }) => stored.change({ rules: target.value })}
            maxLength={limits.communityRules}
          />
          <PolicyField value={aiPolicy} onChange={(policy) => stored.change({ aiPolicy: policy })} />
        </Form>
      </div>
    </div>
  );
}
