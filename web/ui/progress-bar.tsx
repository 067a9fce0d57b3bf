import { classNames } from './class-names.ts'

type ProgressBarProps = {
  /** For screen readers. */
  name: string
  /** From 0 to 1. */
  fraction: number
  isPaused?: boolean
}

export function ProgressBar({ name, fraction, isPaused = false }: ProgressBarProps) {
  return (
    <progress
      aria-label={name}
      max={100}
      value={Math.round(fraction * 100)}
      className={classNames(
        'block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-ink/10 [&::-webkit-progress-bar]:bg-transparent',
        isPaused
          ? '[&::-moz-progress-bar]:bg-warning [&::-webkit-progress-value]:bg-warning'
          : '[&::-moz-progress-bar]:bg-accent [&::-webkit-progress-value]:bg-accent',
      )}
    />
  )
}
