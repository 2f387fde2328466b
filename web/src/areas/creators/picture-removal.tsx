import type { ProfilePicture } from "@tandem/contract/moderation-names";
import { useQueryClient } from "@tanstack/react-query";
import { adminKey } from "../../data/admin.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import ModerationDialog, { type ModerationInput } from "../../posts/moderation-dialog.tsx";

/** Asks an admin why to remove a picture from someone's profile, and removes it. */
export default function PictureRemoval({
  username,
  name,
  picture,
  onClose,
}: {
  username: string;
  /** What the dialog calls the account. */
  name: string;
  picture: ProfilePicture;
  onClose(): void;
}) {
  const { t } = useText();
  const { show } = useToasts();
  const queryClient = useQueryClient();
  const remove = useAction(
    async (api, { reason }: ModerationInput) => {
      // Profiles don't have the account's id.
      const { users } = await api.listAccounts({ q: username, limit: 1 });
      const id = users.find((user) => user.username.toLowerCase() === username.toLowerCase())?.id ?? 0;
      return api.removeProfilePicture({ id, picture, reason });
    },
    {
      inlineErrors: true,
      onSuccess: (_, { done }) => {
        done();
        onClose();
        show(t("creators.pictureRemoved"));
        // Their picture is on their posts and comments, too.
        for (const queryKey of [["creators"], ["posts"], ["comments"], adminKey])
          void queryClient.invalidateQueries({ queryKey });
      },
    },
  );
  const isAvatar = picture === "avatar";
  return (
    <ModerationDialog
      draftKey={`${picture}.${username}`}
      title={t(isAvatar ? "creators.removeAvatarTitle" : "creators.removeBannerTitle", {
        username: name,
      })}
      action={t(isAvatar ? "creators.removeAvatar" : "creators.removeBanner")}
      busy={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onSubmit={(input) => remove.mutate(input)}
    />
  );
}
