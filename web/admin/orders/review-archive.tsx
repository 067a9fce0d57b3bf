import { Archive } from 'lucide-react'

import type { ReviewEntry } from '#contract/checkouts.ts'
import { Button } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

import { Moment } from './moment.tsx'
import { ReviewFacts, ReviewTitle } from './review-entry.tsx'
import { reviewStateWords, reviewWords } from './review-words.ts'
import type { OrderAddressing } from './use-order-address.ts'
import { useArchive, useRestore } from './use-review.ts'

/** Payments that were dealt with: how, by whom and why. Its address can be shared, and Back closes it. */
export function ReviewArchive({ addressing }: { addressing: OrderAddressing }) {
  return (
    <Sheet
      side="end"
      isOpen={addressing.address.isArchiveOpen}
      onOpenChange={addressing.close}
      title="Payment archive"
      className="w-120"
    >
      <header className="border-b border-line py-5 ps-6 pe-16">
        <h2 className="text-lg font-semibold tracking-tight">Payment archive</h2>
        <p className="mt-1 text-sm text-soft">Payments that needed attention and were dealt with</p>
      </header>
      <Content hrefOf={addressing.hrefOf} />
    </Sheet>
  )
}

function Content({ hrefOf }: Pick<OrderAddressing, 'hrefOf'>) {
  const { entries, hasMore, isPending, isError, isAsking, askAgain } = useArchive()
  const restore = useRestore()

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
          <Button isPending={isAsking} onClick={askAgain} className="mt-3">
            {isAsking ? 'Trying...' : 'Try again'}
          </Button>
        </>
      ) : entries.length === 0 ? (
        <p className="flex items-center gap-2.5 text-soft">
          <Archive aria-hidden className="size-4.5 shrink-0" />
          Nothing has been dealt with yet.
        </p>
      ) : (
        <ul className="flex flex-col gap-3">
          {entries.map((entry) => (
            <ArchivedEntry
              key={entry.id}
              entry={entry}
              orderHref={hrefOf({ openId: entry.orderId ?? undefined })}
              isRestoring={restore.restoringId === entry.id}
              onRestore={() => restore.run(entry)}
            />
          ))}
        </ul>
      )}
      {hasMore && <p className="mt-4 text-soft">The newest {entries.length} are shown.</p>}
    </div>
  )
}

type ArchivedEntryProps = {
  entry: ReviewEntry
  orderHref: string
  isRestoring: boolean
  onRestore: () => void
}

function ArchivedEntry({ entry, orderHref, isRestoring, onRestore }: ArchivedEntryProps) {
  const { state, note, handledAt, handledBy } = entry
  return (
    <li className="rounded-xl border border-line bg-card px-4 py-3.5">
      <p className="font-medium wrap-anywhere">
        <ReviewTitle entry={entry} />
      </p>
      <p className="text-soft">{reviewWords[entry.reason].happened}</p>
      <p className="mt-2">
        <strong className="font-semibold">{reviewStateWords[state]}</strong>
        {handledAt && (
          <>
            {' · '}
            <Moment at={handledAt} />
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
        <Button isPending={isRestoring} onClick={onRestore} className="mt-3">
          Restore
        </Button>
      )}
    </li>
  )
}
