export const mainId = 'main'

export function SkipLink() {
  return (
    <a
      href={`#${mainId}`}
      className="sr-only start-4 top-3 z-50 rounded-lg bg-accent text-sm font-medium text-on-accent shadow-lifted focus-visible:not-sr-only focus-visible:fixed focus-visible:px-4 focus-visible:py-2.5"
    >
      Skip to main content
    </a>
  )
}
