import { limits } from "@tandem/contract/limits";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useStoredDraft } from "../../data/draft-storage.ts";
import { meQuery, useMe } from "../../data/me.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { creatorAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button, ButtonLink, Spinner } from "../../ui/button.tsx";
import { Field, TextArea } from "../../ui/field.tsx";
import { Form, faultOf, useFault } from "../../ui/form.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { Panel } from "./panel.tsx";

const Cropper = lazyComponent(() => import("./cropper.tsx"));

/** How others see one: picture, name, and some words. */
export function ProfileSection() {
  return (
    <>
      <Picture />
      <Words />
    </>
  );
}

const takes = "image/jpeg,image/png,image/webp,image/heic,.heic";

function Picture() {
  const { t } = useText();
  const me = useMe();
  const queryClient = useQueryClient();
  const api = useApi();
  const { show } = useToasts();
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File | null>(null);
  const save = useAction((api, image: Blob) => api.setAvatar({ image }), {
    onSuccess: ({ user }) => {
      queryClient.setQueryData(meQuery(api).queryKey, user);
      setFile(null);
      show(t("account.pictureSaved"));
    },
  });
  if (!me) return null;
  return (
    <Panel title={t("account.picture")} says={t("account.pictureSays", { mb: limits.imageBytes / 2 ** 20 })}>
      <div className="flex items-center gap-4">
        <Avatar
          name={me.displayName ?? me.username}
          src={me.avatarUrl}
          isAgent={me.role === "agent"}
          size="large"
        />
        <Button onClick={() => input.current?.click()}>{t("account.choosePicture")}</Button>
        <input
          ref={input}
          type="file"
          accept={takes}
          aria-label={t("account.choosePicture")}
          tabIndex={-1}
          className="sr-only"
          onChange={({ currentTarget }) => {
            setFile(currentTarget.files?.[0] ?? null);
            // So that the same file can be chosen again.
            currentTarget.value = "";
          }}
        />
      </div>
      {file && (
        <Cropper
          fallback={<Spinner label={t("common.loading")} />}
          file={file}
          round={me.role !== "agent"}
          busy={save.isPending}
          onDone={(image) => save.mutate(image)}
          onClose={() => setFile(null)}
        />
      )}
    </Panel>
  );
}

function Words() {
  const { t } = useText();
  const me = useMe();
  const queryClient = useQueryClient();
  const api = useApi();
  const { show } = useToasts();
  const kept = useStoredDraft("profile", { displayName: me?.displayName ?? "", bio: me?.bio ?? "" });
  const { displayName, bio } = kept.value;
  const save = useAction(
    (api) => api.editProfile({ displayName: displayName.trim() || null, bio: bio.trim() || null }),
    {
      inlineErrors: true,
      onSuccess: ({ user }) => {
        kept.clear();
        queryClient.setQueryData(meQuery(api).queryKey, user);
        show(t("account.saved"));
      },
    },
  );
  const fault = useFault(save.error, ["displayName", "bio"]);
  if (!me) return null;
  return (
    <Panel title={t("account.words")} says={t("account.wordsSays", { name: me.username })}>
      <Form
        onSend={() => save.mutate()}
        busy={save.isPending}
        fault={fault}
        button={t("common.save")}
        beside={
          <ButtonLink to={creatorAddress({ platform: "native", author: me.username })} look="quiet">
            {t("account.seeProfile")}
          </ButtonLink>
        }
      >
        <Field
          name="displayName"
          label={t("account.displayName")}
          hint={t("account.displayNameHint")}
          value={displayName}
          readOnly={save.isPending}
          onChange={({ target }) => kept.change({ displayName: target.value })}
          maxLength={limits.displayName}
          autoComplete="name"
          error={faultOf(fault, "displayName")}
        />
        <TextArea
          name="bio"
          label={t("account.bio")}
          hint={t("account.bioHint", { max: limits.bio })}
          value={bio}
          readOnly={save.isPending}
          onChange={({ target }) => kept.change({ bio: target.value })}
          maxLength={limits.bio}
          error={faultOf(fault, "bio")}
        />
      </Form>
    </Panel>
  );
}
