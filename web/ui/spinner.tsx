/** Needs a text beside it: with reduced motion it stands still. */
export function Spinner() {
  return (
    <svg
      viewBox="0 0 16 16"
      fill="none"
      aria-hidden="true"
      className="size-4 motion-safe:animate-spin"
    >
      <circle cx="8" cy="8" r="6" strokeWidth="2" className="stroke-current opacity-25" />
      <path
        d="M14 8a6 6 0 0 0-6-6"
        strokeWidth="2"
        strokeLinecap="round"
        className="stroke-current"
      />
    </svg>
  )
}
