import { classNames } from './class-names.ts'

type LogoProps = { className?: string }

/** A receipt coming out of a printer, which is also a T. */
export function LogoMark({ className }: LogoProps) {
  return (
    <svg
      viewBox="0 0 24 24"
      aria-hidden="true"
      className={classNames('size-6 shrink-0', className)}
    >
      <rect x="1.5" y="2.5" width="21" height="5.5" rx="2.75" className="fill-ink" />
      <path
        d="M6.5 9.5h11v13l-1.83-1.75-1.84 1.75L12 20.75l-1.83 1.75-1.84-1.75L6.5 22.5z"
        className="fill-accent"
      />
    </svg>
  )
}

export function Logo({ className }: LogoProps) {
  return (
    <span className={classNames('inline-flex items-center gap-2', className)}>
      <LogoMark />
      <span className="text-lg leading-none font-semibold tracking-tight">Till</span>
    </span>
  )
}
