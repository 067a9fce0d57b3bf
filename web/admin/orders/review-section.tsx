import { ChevronDown, ChevronUp, TriangleAlert } from 'lucide-react'
import { lazy, Suspense, useEffect, useId, useState } from 'react'

import type { ReviewEntry } from '#contract/checkouts.ts'
import { useWantedForm } from '#web/admin/shell/wanted-form.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { RetryNotice } from '#web/ui/retry-notice.tsx'

import { formatCount } from './order-text.ts'
import type { OrderNavigation } from './order-url.ts'
import type { Decision } from './review-dialogs.tsx'
import { MoneyNotes, ReviewFacts, ReviewTitle } from './review-entry.tsx'
import { describeNext, describeReason, isMoneyKnown } from './review-text.ts'
import type { Review } from './use-review.ts'

// Most shops never need these forms: they are loaded when there is something to decide.
const loadDialogs = () => import('./review-dialogs.tsx')
const ReviewDialog = lazy(async () => ({ default: (await loadDialogs()).ReviewDialog }))

type ReviewSectionProps = { review: Review; navigation: OrderNavigation }

/** Payments, certain or possible, that the shop could not settle by itself. */
export function ReviewSection({ review, navigation }: ReviewSectionProps) {
  const { entries, hasMore, isError, isFetching, retry } = review
  const [decision, setDecision] = useState<Decision>()
  const hasEntries = entries.length > 0
  const { isFolded, toggle } = useFolding(entries)
  useWantedForm('decide', hasEntries, (wanted) => {
    const [action, id] = wanted.split(':')
    const entry = entries.find((one) => one.id === id)
    if (entry && (action === 'order' || action === 'dismiss')) setDecision({ action, entry })
  })
  const FoldIcon = isFolded ? ChevronDown : ChevronUp
  useEffect(() => {
    if (hasEntries) loadDialogs().catch(() => {})
  }, [hasEntries])

  return (
    <>
      {isError && (
        <RetryNotice isFetching={isFetching} onRetry={retry} className="mt-7">
          Payments that may need your attention could not be loaded.
        </RetryNotice>
      )}
      {hasEntries && (
        <section
          aria-labelledby="payments-in-review"
          className={classNames(
            'rounded-2xl border border-warning-line bg-warning-wash px-5 sm:px-6',
            isFolded ? 'mt-3 py-1.5' : 'mt-7 py-5',
          )}
        >
          <div className="flex items-center justify-between gap-3">
            <h2
              id="payments-in-review"
              className="flex items-center gap-2.5 font-semibold tracking-tight text-warning"
            >
              <TriangleAlert aria-hidden className="size-4.5 shrink-0" />
              {entries.length === 1
                ? 'A payment needs your attention'
                : `${hasMore ? 'More than ' : ''}${formatCount(entries.length)} payments need your attention`}
            </h2>
            <Button
              look="bare"
              aria-expanded={!isFolded}
              aria-describedby="payments-in-review"
              onClick={toggle}
              className="-my-1.5 -me-3 shrink-0 px-3"
            >
              {isFolded ? 'Show' : 'Hide'}
              <FoldIcon aria-hidden className="size-4" />
            </Button>
          </div>
          {!isFolded && (
            <>
              <p className="mt-1.5 max-w-2xl text-sm/6 text-soft">
                The shop could not settle these by itself. Decide about each of them.
                {hasMore && ' The newest are shown; the others follow as you resolve these.'}
              </p>
              <ul className="mt-4 flex flex-col gap-3">
                {entries.map((entry) => (
                  <ReviewCard
                    key={entry.id}
                    entry={entry}
                    orderHref={navigation.hrefOfOrder(entry.orderId)}
                    onDecide={(action) => setDecision({ action, entry })}
                  />
                ))}
              </ul>
            </>
          )}
        </section>
      )}
      <Suspense>
        {decision && (
          <ReviewDialog
            key={decision.entry.id}
            decision={decision}
            onClose={() => setDecision(undefined)}
            onChanged={(entry, note) =>
              setDecision((now) => (now?.entry.id === entry.id ? { ...now, entry, note } : now))
            }
            onOpenOrder={navigation.open}
          />
        )}
      </Suspense>
    </>
  )
}

/** The payments that were folded away, until the page is loaded again. */
let foldedIds: readonly string[] = []

/** Its heading stays, and a payment that was not there before opens it again: one card alone takes the room of the list. */
function useFolding(entries: readonly ReviewEntry[]) {
  const [folded, setFolded] = useState(foldedIds)
  const isFolded = entries.every(({ id }) => folded.includes(id))
  return {
    isFolded,
    toggle: () => {
      foldedIds = isFolded ? [] : entries.map(({ id }) => id)
      setFolded(foldedIds)
    },
  }
}

type ReviewCardProps = {
  entry: ReviewEntry
  orderHref: string
  onDecide: (action: Decision['action']) => void
}

function ReviewCard({ entry, orderHref, onDecide }: ReviewCardProps) {
  const titleId = useId()

  return (
    <li className="rounded-xl border border-warning-line bg-card px-4 py-4 sm:px-5">
      <div className="flex flex-wrap gap-x-8 gap-y-3">
        <div className="min-w-0 flex-1 basis-72">
          <p id={titleId} className="font-medium wrap-anywhere">
            <ReviewTitle entry={entry} />
          </p>
          <MoneyNotes entry={entry} />
          <p className="mt-1 max-w-prose text-sm/6 text-ink">{describeReason(entry)}</p>
          <p className="max-w-prose text-sm/6 text-soft">{describeNext(entry)}</p>
        </div>
        <ReviewFacts entry={entry} orderHref={orderHref} />
      </div>
      <div className="mt-4 flex flex-wrap gap-2 empty:hidden max-sm:*:flex-1">
        {entry.canOrder && (
          <Button
            look={isMoneyKnown(entry) ? 'primary' : 'secondary'}
            aria-describedby={titleId}
            onClick={() => onDecide('order')}
          >
            Create order
          </Button>
        )}
        {entry.canRefund && (
          <Button aria-describedby={titleId} onClick={() => onDecide('refund')}>
            Refund
          </Button>
        )}
        {entry.canDismiss && (
          <Button aria-describedby={titleId} onClick={() => onDecide('dismiss')}>
            Dismiss
          </Button>
        )}
      </div>
    </li>
  )
}
