import { classNames } from './class-names.ts'

/** A placeholder for content that is loading, shown only after a noticeable delay. */
export function Skeleton({ className }: { className?: string }) {
  return <div className={classNames('animate-appear-late rounded-md bg-ink/7', className)} />
}
