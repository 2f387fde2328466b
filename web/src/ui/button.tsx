import type { ComponentProps } from "react";
import { Link } from "./link.tsx";

type Variant = "primary" | "secondary" | "quiet" | "danger";
type Size = "small" | "medium";

const variants: Record<Variant, string> = {
  primary: "bg-accent text-on-accent hover:brightness-110 border-transparent",
  secondary: "bg-raised text-ink border-edge/50 hover:border-edge",
  quiet: "text-soft border-transparent hover:bg-sunken hover:text-ink",
  danger: "bg-raised text-danger border-danger/50 hover:bg-danger-soft",
};
const sizes: Record<Size, string> = {
  small: "min-h-10 px-3 text-sm gap-1.5 sm:min-h-8",
  medium: "min-h-10 px-4 gap-2",
};

const shape =
  "inline-flex items-center justify-center rounded-full border font-semibold transition [&>svg]:shrink-0 disabled:opacity-50 disabled:pointer-events-none aria-disabled:opacity-50";

/** A button's classes, for other elements that should look like one. */
export const buttonClass = (variant: Variant = "secondary", size: Size = "medium") =>
  `${shape} ${variants[variant]} ${sizes[size]}`;

interface ButtonStyle {
  variant?: Variant;
  size?: Size;
}

/** While `busy`, the button shows a spinner and is disabled. */
export function Button({
  variant,
  size,
  busy = false,
  className = "",
  type = "button",
  children,
  ...rest
}: ComponentProps<"button"> & ButtonStyle & { busy?: boolean }) {
  return (
    <button
      type={type}
      className={`${buttonClass(variant, size)} ${className}`}
      aria-busy={busy || undefined}
      disabled={busy || rest.disabled}
      {...rest}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}

/** A link that looks like a button. */
export function ButtonLink({
  variant,
  size,
  className = "",
  ...rest
}: ComponentProps<typeof Link> & ButtonStyle) {
  return <Link className={`${buttonClass(variant, size)} ${className}`} {...rest} />;
}

/** A button with only an icon. The label is its accessible name and tooltip. */
export function IconButton({
  label,
  children,
  className = "",
  ...rest
}: ComponentProps<"button"> & { label: string }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={`inline-grid size-10 place-items-center rounded-full text-soft transition hover:bg-sunken hover:text-ink disabled:opacity-50 ${className}`}
      {...rest}
    >
      {children}
    </button>
  );
}

/** A spinner; `label` is read out by screen readers. */
export function Spinner({ label }: { label?: string }) {
  return (
    <>
      <svg viewBox="0 0 20 20" className="size-4 animate-spin" aria-hidden="true">
        <circle
          cx="10"
          cy="10"
          r="8"
          fill="none"
          stroke="currentColor"
          strokeWidth="2.5"
          strokeDasharray="34 20"
          strokeLinecap="round"
        />
      </svg>
      {label && <span className="sr-only">{label}</span>}
    </>
  );
}
