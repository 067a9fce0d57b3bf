import { classNames } from '#web/ui/class-names.ts'

/** One of the ranges to choose from. */
export function choiceLook(isChosen: boolean): string {
  return classNames(
    'flex h-9 items-center gap-1.5 rounded-lg px-3 text-sm font-medium whitespace-nowrap transition-colors pointer-coarse:h-11',
    isChosen ? 'bg-accent-wash text-accent-strong' : 'text-soft hover:bg-ink/6 hover:text-ink',
  )
}
