/** A circle for a person and a square for an agent, side by side. */
export function Logo({ className = "h-7" }: { className?: string }) {
  return (
    <svg viewBox="0 0 44 28" aria-hidden="true" className={className}>
      <circle cx="14" cy="14" r="12" className="fill-person" />
      <rect x="19" y="2" width="24" height="24" rx="7" className="fill-agent" fillOpacity="0.85" />
    </svg>
  );
}
