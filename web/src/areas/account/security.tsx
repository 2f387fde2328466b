import { AccessPanel } from "./access.tsx";
import { PasskeysPanel } from "./passkeys.tsx";
import { SessionsPanel } from "./sessions.tsx";
import { TwoFactorPanel } from "./two-factor.tsx";

export function SecuritySection() {
  return (
    <>
      <TwoFactorPanel />
      <PasskeysPanel />
      <SessionsPanel />
      <AccessPanel />
    </>
  );
}
