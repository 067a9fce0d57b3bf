import { ArrowUp, RefreshCw } from 'lucide-react'
import { type MouseEvent, useState } from 'react'

import type { NewsEvent } from '#contract/news.ts'
import { Spinner } from '#web/ui/spinner.tsx'

import { describeEvents } from './news-text.ts'

type NewsPillProps = {
  events: readonly NewsEvent[]
  /** Loads the page's data again. Returns whether that succeeded, and says so itself if not. */
  onLoad: () => Promise<boolean>
}

/** What stands at the top of its page. Changes are where they were before. */
const isAtTop = ({ kind }: NewsEvent) => ['order', 'withdrawal', 'review'].includes(kind)

/**
 * Says what is new, over the list instead of above it, so that no row moves under a pointer. Nothing is loaded before
 * somebody asks for it.
 */
export function NewsPill({ events, onLoad }: NewsPillProps) {
  const [isLoading, setIsLoading] = useState(false)
  const text = describeEvents(events)
  const leadsToTop = events.some(isAtTop)
  const Icon = leadsToTop ? ArrowUp : RefreshCw

  async function load({ detail }: MouseEvent) {
    if (isLoading) return
    setIsLoading(true)
    const isLoaded = await onLoad()
    setIsLoading(false)
    if (!isLoaded) return
    // Pressed with the keyboard (no click is counted): it goes on in the page, since the button is gone.
    if (detail === 0) document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true })
    if (leadsToTop) scrollTo({ top: 0 })
  }

  return (
    <output className="pointer-events-none sticky top-17 z-15 flex h-0 justify-center print:hidden">
      {text && (
        <button
          type="button"
          aria-disabled={isLoading}
          onClick={(event) => void load(event)}
          className="pointer-events-auto flex h-9 max-w-full items-center gap-2 rounded-full bg-accent px-4 text-sm font-medium whitespace-nowrap text-on-accent shadow-lifted transition-colors hover:bg-accent-strong pointer-coarse:h-11"
        >
          {isLoading ? <Spinner /> : <Icon aria-hidden className="size-4 shrink-0" />}
          <span className="truncate">{text}</span>
        </button>
      )}
    </output>
  )
}
