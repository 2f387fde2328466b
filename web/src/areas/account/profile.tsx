import { limits } from "@tandem/contract/limits";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useStoredDraft } from "../../data/draft-storage.ts";
import { meQuery, useMe } from "../../data/me.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { MarkdownEditor } from "../../posts/markdown-editor.tsx";
import { creatorAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button, ButtonLink, Spinner } from "../../ui/button.tsx";
import { Field, TextArea } from "../../ui/field.tsx";
import { FileInput } from "../../ui/file-input.tsx";
import { Form, fieldErrorOf, useFormError } from "../../ui/form.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { LinksPanel } from "./links-panel.tsx";
import { Panel } from "./panel.tsx";

const Cropper = lazyComponent(() => import("./cropper.tsx"));

/** Edits the public profile: picture, banner, display name, bio and links. */
export function ProfileSection() {
  const me = useMe();
  return (
    <>
      <AvatarPanel />
      <BannerPanel />
      <ProfileForm />
      {me && <LinksPanel me={me} />}
    </>
  );
}

const acceptedTypes = "image/jpeg,image/png,image/webp,image/heic,.heic";

function AvatarPanel() {
  const { t } = useText();
  const me = useMe();
  const queryClient = useQueryClient();
  const api = useApi();
  const { show } = useToasts();
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
    <Panel
      title={t("account.picture")}
      description={t("account.pictureDescription", { mb: limits.imageBytes / 2 ** 20 })}
    >
      <div className="flex items-center gap-4">
        <Avatar
          name={me.displayName ?? me.username}
          src={me.avatarUrl}
          isAgent={me.role === "agent"}
          size="large"
        />
        <FileButton label={t("account.choosePicture")} onFile={setFile} />
      </div>
      {file && (
        <Cropper
          fallback={<Spinner label={t("common.loading")} />}
          file={file}
          isRound={me.role !== "agent"}
          busy={save.isPending}
          onDone={(image) => save.mutate(image)}
          onClose={() => setFile(null)}
        />
      )}
    </Panel>
  );
}

function BannerPanel() {
  const { t } = useText();
  const me = useMe();
  const queryClient = useQueryClient();
  const api = useApi();
  const { show } = useToasts();
  const save = useAction(
    (api, image: File | null) => (image ? api.setBanner({ image }) : api.deleteBanner()),
    {
      onSuccess: ({ user }) => {
        queryClient.setQueryData(meQuery(api).queryKey, user);
        show(t(user.bannerUrl ? "account.bannerSaved" : "account.bannerRemoved"));
      },
    },
  );
  if (!me) return null;
  return (
    <Panel
      title={t("account.banner")}
      description={t("account.bannerDescription", { mb: limits.imageBytes / 2 ** 20 })}
    >
      {me.bannerUrl && (
        <img src={me.bannerUrl} alt="" className="aspect-3/1 w-full rounded-xl bg-sunken object-cover" />
      )}
      <div className="flex flex-wrap gap-2">
        <FileButton
          label={t("account.chooseBanner")}
          busy={save.isPending}
          onFile={(image) => save.mutate(image)}
        />
        {me.bannerUrl && (
          <Button variant="quiet" onClick={() => save.mutate(null)} disabled={save.isPending}>
            {t("account.removeBanner")}
          </Button>
        )}
      </div>
    </Panel>
  );
}

/** A button that opens the browser's dialog for choosing a picture. */
function FileButton({ label, busy, onFile }: { label: string; busy?: boolean; onFile(file: File): void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button busy={busy} onClick={() => input.current?.click()}>
        {label}
      </Button>
      <FileInput inputRef={input} accept={acceptedTypes} label={label} onSelect={onFile} />
    </>
  );
}

function ProfileForm() {
  const { t } = useText();
  const me = useMe();
  const queryClient = useQueryClient();
  const api = useApi();
  const { show } = useToasts();
  const stored = useStoredDraft("profile", { displayName: me?.displayName ?? "", bio: me?.bio ?? "" });
  const { displayName, bio } = stored.value;
  const save = useAction(
    (api) => api.editProfile({ displayName: displayName.trim() || null, bio: bio.trim() || null }),
    {
      inlineErrors: true,
      onSuccess: ({ user }) => {
        stored.clear();
        queryClient.setQueryData(meQuery(api).queryKey, user);
        show(t("account.saved"));
      },
    },
  );
  const formError = useFormError(save.error, ["displayName", "bio"]);
  if (!me) return null;
  const nameIsAi = me.role !== "agent" && me.aiGeneratedFields.includes("displayName");
  return (
    <Panel
      title={t("account.profileDetails")}
      description={t("account.profileDetailsDescription", { name: me.username })}
    >
      <Form
        onSubmit={() => save.mutate()}
        busy={save.isPending}
        error={formError}
        submitLabel={t("common.save")}
        secondaryAction={
          <ButtonLink to={creatorAddress({ platform: "native", author: me.username })} variant="quiet">
            {t("account.viewProfile")}
          </ButtonLink>
        }
      >
        <Field
          name="displayName"
          label={t("account.displayName")}
          hint={t(nameIsAi ? "account.displayNameIsAi" : "account.displayNameHint")}
          value={displayName}
          readOnly={save.isPending}
          onChange={({ target }) => stored.change({ displayName: target.value })}
          maxLength={limits.displayName}
          autoComplete="name"
          error={fieldErrorOf(formError, "displayName")}
        />
        <MarkdownEditor text={bio} isBio>
          <TextArea
            name="bio"
            label={t("account.bio")}
            hint={t("account.bioHint", { max: limits.bio })}
            value={bio}
            readOnly={save.isPending}
            onChange={({ target }) => stored.change({ bio: target.value })}
            maxLength={limits.bio}
            error={fieldErrorOf(formError, "bio")}
          />
        </MarkdownEditor>
      </Form>
    </Panel>
  );
}
