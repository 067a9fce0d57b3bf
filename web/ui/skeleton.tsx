import { classNames } from './class-names.ts'

/** A place held for words to come. It shows only when the wait grows long enough to be noticed. */
export function Skeleton({ className }: { className?: string }) {
  return <div className={classNames('animate-appear-late rounded-md bg-ink/7', className)} />
}
