import { Archive } from 'lucide-react'

import type { ReviewEntry } from '#contract/checkouts.ts'
import { Button } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

import { DateTime } from './order-display.tsx'
import { formatCount } from './order-text.ts'
import type { OrderNavigation } from './order-url.ts'
import { ReviewFacts, ReviewTitle } from './review-entry.tsx'
import { formatOutcome, reasonTexts } from './review-text.ts'
import { useRestore } from './review-actions.ts'
import { useArchive } from './use-review.ts'

/** Payments that were decided about: how, by whom and why. Its URL can be shared, and Back closes it. */
export function ReviewArchive({ navigation }: { navigation: OrderNavigation }) {
  return (
    <Sheet
      side="end"
      isOpen={navigation.url.panel?.kind === 'archive'}
      onOpenChange={navigation.close}
      title="Payment archive"
      className="w-120"
    >
      <header className="border-b border-line py-5 ps-6 pe-16">
        <h2 className="text-lg font-semibold tracking-tight">Payment archive</h2>
        <p className="mt-1 text-sm text-soft">Payments that needed attention and were resolved</p>
      </header>
      <Content navigation={navigation} />
    </Sheet>
  )
}

function Content({ navigation: { hrefOfOrder, url } }: { navigation: OrderNavigation }) {
  const { entries, hasMore, isPending, isError, isFetching, retry } = useArchive(url)

  return (
    <div
      aria-live="polite"
      aria-busy={isPending}
      className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-6 py-6 text-sm/6"
    >
      {isPending ? (
        <>
          <p className="sr-only">Loading...</p>
          <Skeleton className="h-32 w-full rounded-xl" />
        </>
      ) : isError && entries.length === 0 ? (
        <>
          <p className="text-soft">The archive could not be loaded.</p>
          <Button isPending={isFetching} onClick={retry} className="mt-3">
            {isFetching ? 'Trying...' : 'Try again'}
          </Button>
        </>
      ) : entries.length === 0 ? (
        <p className="flex items-center gap-2.5 text-soft">
          <Archive aria-hidden className="size-4.5 shrink-0" />
          Nothing has been resolved yet.
        </p>
      ) : (
        <ul className="flex flex-col gap-3">
          {entries.map((entry) => (
            <ArchivedEntry key={entry.id} entry={entry} orderHref={hrefOfOrder(entry.orderId)} />
          ))}
        </ul>
      )}
      {hasMore && (
        <p className="mt-4 text-soft">The newest {formatCount(entries.length)} are shown.</p>
      )}
    </div>
  )
}

function ArchivedEntry({ entry, orderHref }: { entry: ReviewEntry; orderHref: string }) {
  const restore = useRestore(entry)
  const { state, note, handledAt, handledBy } = entry
  return (
    <li className="rounded-xl border border-line bg-card px-4 py-3.5">
      <p className="font-medium wrap-anywhere">
        <ReviewTitle entry={entry} />
      </p>
      <p className="text-soft">{reasonTexts[entry.reason].happened}</p>
      <p className="mt-2">
        <strong className="font-semibold">{formatOutcome(entry)}</strong>
        {handledAt && (
          <>
            {' · '}
            <DateTime at={handledAt} />
          </>
        )}
        {' · '}
        <bdi className="wrap-anywhere">{handledBy ?? 'by itself'}</bdi>
      </p>
      {note && (
        <blockquote className="mt-1 border-s-2 border-line-strong ps-3 whitespace-pre-line text-soft wrap-anywhere">
          {note}
        </blockquote>
      )}
      <div className="mt-3">
        <ReviewFacts entry={entry} orderHref={orderHref} />
      </div>
      {state === 'dismissed' && (
        <Button
          isPending={restore.isPending}
          onClick={() => restore.run({ version: entry.version })}
          className="mt-3"
        >
          Restore
        </Button>
      )}
    </li>
  )
}
