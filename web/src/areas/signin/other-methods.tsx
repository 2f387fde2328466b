import type { FlatClient } from "@tandem/client";
import { useSuspenseQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { type Provider, providersQuery } from "../../data/providers.ts";
import { reloadAfterLogin } from "../../data/session.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { Button } from "../../ui/button.tsx";
import { goToProvider } from "./provider-sign-in.ts";
import { logInWithPasskey } from "./use-log-in.ts";

/** Sign-in methods without a password: passkeys, and the configured providers. */
export function OtherSignInMethods({
  next,
  passkey,
  only,
  divider = true,
  invitation = () => "",
}: {
  next: string;
  passkey: boolean;
  /** The names of the providers to offer; all if left out. */
  only?: readonly string[];
  /** Whether another method is above. */
  divider?: boolean;
  /** The code of an invitation, for a new account; empty without one. */
  invitation?: () => string;
}) {
  const { t } = useText();
  const { data: configured } = useSuspenseQuery(providersQuery(useApi()));
  const providers = configured.filter(({ name }) => only?.includes(name) ?? true);
  if (!passkey && providers.length === 0) return null;
  return (
    <div className="flex flex-col gap-3">
      {divider && (
        <p className="flex items-center gap-3 text-sm text-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
          {t("signin.or")}
        </p>
      )}
      {passkey && <PasskeyButton next={next} />}
      {providers.map((provider) => (
        <ProviderButton
          key={provider.name}
          provider={provider}
          onStart={(api) => goToProvider(api, provider, { next, invitation: invitation() })}
        />
      ))}
    </div>
  );
}

/** The error's name when the user cancels. */
const USER_CANCELLED = "NotAllowedError";

function PasskeyButton({ next }: { next: string }) {
  const { t } = useText();
  const logIn = useAction(
    (api) =>
      logInWithPasskey(api).catch((error: Error) => {
        if (error.name === USER_CANCELLED) return null;
        throw error;
      }),
    { onSuccess: (response) => response && reloadAfterLogin(next) },
  );
  return (
    <Button className="min-h-11" onClick={() => logIn.mutate()} busy={logIn.isPending}>
      <KeyRound className="size-4.5" aria-hidden="true" />
      {t("signin.passkey")}
    </Button>
  );
}

function ProviderButton({
  provider,
  onStart,
}: {
  provider: Provider;
  onStart(api: FlatClient): Promise<void>;
}) {
  const { t } = useText();
  const startSignIn = useAction((api) => onStart(api));
  return (
    <Button className="min-h-11" onClick={() => startSignIn.mutate()} busy={startSignIn.isPending}>
      {provider.name === "google" ? <GoogleMark /> : <AppleMark />}
      {t(`signin.${provider.name}`)}
    </Button>
  );
}

function GoogleMark() {
  return (
    <svg viewBox="0 0 24 24" className="size-4.5" aria-hidden="true">
      <path
        fill="#4285F4"
        d="M22.5 12.3c0-.8-.1-1.5-.2-2.3H12v4.300h5.900a5 5 0 0 1-2.200 3.300v2.800h3.600c2-1.900 3.200-4.700 3.200-8.100z"
      />
      <path
        fill="#34A853"
        d="M12 23c2.900 0 5.400-1 7.300-2.600l-3.600-2.800c-1 .7-2.200 1-3.700 1-2.900 0-5.300-1.900-6.200-4.500H2.200v2.800A11 11 0 0 0 12 23z"
      />
      <path fill="#FBBC05" d="M5.800 14.100a6.600 6.600 0 0 1 0-4.200V7.100H2.200a11 11 0 0 0 0 9.900z" />
      <path
        fill="#EA4335"
        d="M12 5.400c1.600 0 3 .6 4.200 1.600l3.100-3.100A11 11 0 0 0 2.200 7.100l3.600 2.800C6.700 7.300 9.100 5.400 12 5.400z"
      />
    </svg>
  );
}

function AppleMark() {
  return (
    <svg viewBox="0 0 24 24" className="size-4.5" aria-hidden="true" fill="currentColor">
      <path d="M17.300 12.800c0-2.500 2-3.700 2.100-3.800-1.200-1.700-3-1.900-3.600-2-1.500-.2-3 .9-3.800.9s-2-.9-3.200-.8a4.800 4.800 0 0 0-4 2.400c-1.700 3-.4 7.400 1.200 9.800.8 1.200 1.800 2.500 3.100 2.400 1.200 0 1.700-.8 3.200-.8s1.900.8 3.200.8 2.200-1.200 3-2.400a10 10 0 0 0 1.400-2.800 4.300 4.300 0 0 1-2.600-3.700zM14.900 5.500A4.400 4.400 0 0 0 16 2.300a4.500 4.500 0 0 0-2.900 1.500 4.200 4.200 0 0 0-1.100 3.100 3.700 3.700 0 0 0 2.900-1.400z" />
    </svg>
  );
}
