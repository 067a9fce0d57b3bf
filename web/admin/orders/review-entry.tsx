import type { ReactNode } from 'react'
import { Link } from 'wouter'

import type { ReviewEntry } from '#contract/checkouts.ts'
import { nameMethod } from '#contract/payment-methods.ts'
import { CopyButton, DateTime, TestBadge } from './order-display.tsx'
import { noValue, shortId } from './order-text.ts'
import { describeMoney, formatSubject, formatTotal, isMoneyKnown } from './review-text.ts'

export function ReviewTitle({ entry }: { entry: ReviewEntry }) {
  return (
    <>
      {formatSubject(entry)} · <bdi>{formatTotal(entry)}</bdi> <TestBadge isTest={entry.isTest} />
    </>
  )
}

/** What is special about the money: a test, another amount than the sale's, a refund. */
export function MoneyNotes({ entry }: { entry: ReviewEntry }) {
  return describeMoney(entry).map((sentence) => (
    <p key={sentence} className="text-sm/6 font-medium text-warning">
      {sentence}
    </p>
  ))
}

const link =
  'wrap-anywhere underline decoration-line-strong underline-offset-4 hover:decoration-current'

type ReviewFactsProps = { entry: ReviewEntry; orderHref: string }

/** How to find the payment: at SumUp, by its customer, by its order. */
export function ReviewFacts({ entry, orderHref }: ReviewFactsProps) {
  const { transactionCode, paymentMethod, details, orderId } = entry
  return (
    <dl className="grid min-w-0 grid-cols-[auto_minmax(0,1fr)] content-start gap-x-3 gap-y-0.5 text-[0.8125rem]/5">
      <Fact name="SumUp code">
        {transactionCode ? (
          <>
            <bdi className="truncate font-mono">{transactionCode}</bdi>
            <CopyButton text={transactionCode} name="Copy transaction code" className="-my-1.5" />
          </>
        ) : (
          noValue
        )}
      </Fact>
      {paymentMethod && <Fact name="Method">{nameMethod(paymentMethod, 'Card')}</Fact>}
      <Fact name="Customer">
        <span className="flex min-w-0 flex-col">
          {details?.customerName && <bdi className="wrap-anywhere">{details.customerName}</bdi>}
          {details?.customerEmail && (
            <a href={`mailto:${details.customerEmail}`} className={link}>
              <bdi>{details.customerEmail}</bdi>
            </a>
          )}
          {!details?.customerName && !details?.customerEmail && noValue}
        </span>
      </Fact>
      <Fact name={entry.product ? 'Begun' : isMoneyKnown(entry) ? 'Paid' : 'Date'}>
        <DateTime at={entry.createdAt} />
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
