import { useEffect, useRef } from 'react'

import { Spinner } from '#web/ui/spinner.tsx'

import { tellSelectAll } from './bulk-words.ts'

type SelectAllBoxProps = {
  state: 'none' | 'some' | 'all'
  /** How many orders it selects, where that is known. */
  total: number | undefined
  isAsking: boolean
  onSelectAll: () => void
  onClear: () => void
}

/** Selects every order of the filter, loaded or not, and says how many those are. */
export function SelectAllBox({ state, total, isAsking, onSelectAll, onClear }: SelectAllBoxProps) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = state === 'some'
  }, [state])

  return (
    <label className="flex h-8 items-center gap-3 text-xs font-medium whitespace-nowrap text-muted pointer-coarse:h-11">
      <input
        ref={box}
        type="checkbox"
        checked={state === 'all'}
        aria-busy={isAsking}
        onChange={state === 'all' ? onClear : onSelectAll}
        className="size-4.5 pointer-coarse:size-5"
      />
      {tellSelectAll(total)}
      <span className="sr-only">orders</span>
      {isAsking && <Spinner />}
    </label>
  )
}
