import type { ReactNode } from 'react'
import { Link } from 'wouter'

import type { ReviewEntry } from '#contract/checkouts.ts'
import { formatMoney } from '#contract/money.ts'

import { CopyButton } from './copy-button.tsx'
import { Moment } from './moment.tsx'
import { missing, shortId } from './order-words.ts'
import { subjectOf } from './review-words.ts'

/** What it is about, and how much of it. */
export function ReviewTitle({ entry }: { entry: ReviewEntry }) {
  return (
    <>
      {subjectOf(entry)} · <bdi>{formatMoney(entry.amount, entry.currency)}</bdi>
    </>
  )
}

const link =
  'wrap-anywhere underline decoration-line-strong underline-offset-4 hover:decoration-current'

type ReviewFactsProps = { entry: ReviewEntry; orderHref: string }

/** What finds the payment again: at SumUp, with the customer, among the orders. */
export function ReviewFacts({ entry, orderHref }: ReviewFactsProps) {
  const { transactionCode, details, orderId } = entry
  return (
    <dl className="grid min-w-0 grid-cols-[auto_minmax(0,1fr)] content-start gap-x-3 gap-y-0.5 text-[0.8125rem]/5">
      <Fact name="SumUp code">
        {transactionCode ? (
          <>
            <bdi className="truncate font-mono">{transactionCode}</bdi>
            <CopyButton text={transactionCode} name="Copy transaction code" className="-my-1.5" />
          </>
        ) : (
          missing
        )}
      </Fact>
      <Fact name="Customer">
        <span className="flex min-w-0 flex-col">
          {details?.customerName && <bdi className="wrap-anywhere">{details.customerName}</bdi>}
          {details?.customerEmail && (
            <a href={`mailto:${details.customerEmail}`} className={link}>
              <bdi>{details.customerEmail}</bdi>
            </a>
          )}
          {!details?.customerName && !details?.customerEmail && missing}
        </span>
      </Fact>
      <Fact name={entry.product ? 'Begun' : 'Paid'}>
        <Moment at={entry.createdAt} />
      </Fact>
      {orderId && (
        <Fact name="Order">
          <Link href={orderHref} className={`font-mono ${link}`}>
            {shortId(orderId)}
          </Link>
        </Fact>
      )}
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="flex min-h-5 min-w-0 items-center">{children}</dd>
    </>
  )
}
