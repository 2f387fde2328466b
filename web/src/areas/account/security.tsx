import { Passkeys } from "./passkeys.tsx";
import { Sessions } from "./sessions.tsx";
import { TwoFactor } from "./two-factor.tsx";

/** What keeps others out. */
export function SecuritySection() {
  return (
    <>
      <TwoFactor />
      <Passkeys />
      <Sessions />
    </>
  );
}
