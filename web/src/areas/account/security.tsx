import { PasskeysPanel } from "./passkeys.tsx";
import { SessionsPanel } from "./sessions.tsx";
import { TwoFactorPanel } from "./two-factor.tsx";

/** What keeps others out. */
export function SecuritySection() {
  return (
    <>
      <TwoFactorPanel />
      <PasskeysPanel />
      <SessionsPanel />
    </>
  );
}
