import { ArrowUp } from 'lucide-react'
import { useState } from 'react'

import { Spinner } from '#web/ui/spinner.tsx'

import type { ToldEvent } from './live.ts'
import { describeEvents } from './live-text.ts'

type LivePillProps = {
  events: readonly ToldEvent[]
  /** Loads the page's data again, and says so itself if that fails. */
  onLoad: () => Promise<unknown>
}

/**
 * Says what is new, over the list instead of above it, so that no row moves under a pointer. Nothing is loaded before
 * somebody asks for it.
 */
export function LivePill({ events, onLoad }: LivePillProps) {
  const [isLoading, setIsLoading] = useState(false)
  const text = describeEvents(events)

  async function load() {
    if (isLoading) return
    setIsLoading(true)
    await onLoad()
    setIsLoading(false)
    // The new ones are first. The button is gone; the keyboard goes on in the page.
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true })
    scrollTo({ top: 0 })
  }

  return (
    <div
      aria-live="polite"
      className="pointer-events-none sticky top-17 z-15 flex h-0 justify-center print:hidden"
    >
      {text && (
        <button
          type="button"
          aria-disabled={isLoading}
          onClick={() => void load()}
          className="pointer-events-auto flex h-9 max-w-full items-center gap-2 rounded-full bg-accent px-4 text-sm font-medium whitespace-nowrap text-on-accent shadow-lifted transition-colors hover:bg-accent-strong pointer-coarse:h-11"
        >
          {isLoading ? <Spinner /> : <ArrowUp aria-hidden className="size-4 shrink-0" />}
          <span className="truncate">{text}</span>
        </button>
      )}
    </div>
  )
}
