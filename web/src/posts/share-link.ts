import type { Translate } from "../i18n/use-text.tsx";
import { copyToClipboard } from "../ui/clipboard.ts";

interface Feedback {
  t: Translate;
  show(text: string): void;
  showError(text: string): void;
}

/** A link to a post or comment. */
interface SharedLink {
  link: string;
  title?: string | null;
}

/** Copies a link. If that fails, shows it so that it can be copied by hand. */
export async function copyLink({ link }: SharedLink, { t, show, showError }: Feedback): Promise<void> {
  if (await copyToClipboard(link)) show(t("card.copied"));
  else showError(t("card.copyFailed", { link }));
}

/** Opens the device's share dialog, or copies the link if there is none. */
export async function shareLink(target: SharedLink, feedback: Feedback): Promise<void> {
  if (!("share" in navigator)) return copyLink(target, feedback);
  const { link, title } = target;
  // Cancelling isn't an error.
  await navigator.share({ url: link, ...(title && { title }) }).catch(() => {});
}
