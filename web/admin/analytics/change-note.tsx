import { ArrowDownRight, ArrowUpRight } from 'lucide-react'

import { classNames } from '#web/ui/class-names.ts'

import type { Comparison } from './comparison.ts'

const icons = { up: ArrowUpRight, down: ArrowDownRight }

type ChangeNoteProps = {
  comparison: Comparison
  /** Against what is said nearby: beside an arrow it is only for ears. */
  isShort?: boolean
}

/** The words tell the direction; the arrow and the colour are for the quick look. */
export function ChangeNote({ comparison, isShort = false }: ChangeNoteProps) {
  const { arrow, change, against } = comparison
  const Icon = arrow && icons[arrow]
  return (
    <p className={classNames('flex items-center gap-1', arrow === 'up' && 'text-accent')}>
      {Icon && <Icon aria-hidden className="-ms-0.5 size-4 shrink-0" />}
      <span>
        <span className="font-medium">{change}</span>{' '}
        <span className={isShort && Icon ? 'sr-only' : 'text-muted'}>{against}</span>
      </span>
    </p>
  )
}
