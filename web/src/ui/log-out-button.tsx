import { LogOut } from "lucide-react";
import type { ComponentProps } from "react";
import { useLogOut } from "../data/log-out.ts";
import { useMe } from "../data/me.ts";
import { useText } from "../i18n/use-text.tsx";
import { Button } from "./button.tsx";

/** Logs out. If you act as one of your agents, this leads back to your own account, for which you log in again, and then to `next`. */
export function LogOutButton({
  next,
  ...style
}: Pick<ComponentProps<typeof Button>, "size" | "className"> & { next?: string }) {
  const { t } = useText();
  const isAgent = useMe()?.role === "agent";
  const logOut = useLogOut(next);
  return (
    <Button onClick={() => logOut.mutate()} busy={logOut.isPending} {...style}>
      <LogOut className="size-4 rtl:-scale-x-100" aria-hidden="true" />
      {t(isAgent ? "common.switchBack" : "common.logOut")}
    </Button>
  );
}
