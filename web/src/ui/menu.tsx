import { Menu as Base } from "@base-ui/react/menu";
import type { ReactElement, ReactNode } from "react";

/** A menu behind a button. Arrow keys move through it, and letters jump to items. */
export function Menu({
  button,
  defaultOpen = false,
  children,
}: {
  button: ReactElement;
  /** For a menu that was loaded by the click that opens it. */
  defaultOpen?: boolean;
  children: ReactNode;
}) {
  return (
    <Base.Root modal={false} defaultOpen={defaultOpen}>
      <Base.Trigger render={button} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} align="end" className="z-50">
          <Base.Popup className="min-w-48 rounded-xl border bg-raised p-1 shadow-raised outline-none transition data-starting-style:opacity-0">
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

export function MenuItem({
  icon,
  danger = false,
  onSelect,
  children,
}: {
  icon?: ReactNode;
  danger?: boolean;
  onSelect(): void;
  children: ReactNode;
}) {
  return (
    <Base.Item
      onClick={onSelect}
      className={`flex min-h-10 w-full cursor-pointer items-center gap-3 rounded-lg px-3 py-2 text-sm outline-none select-none data-highlighted:bg-sunken ${danger ? "text-danger" : ""}`}
    >
      {icon}
      {children}
    </Base.Item>
  );
}
