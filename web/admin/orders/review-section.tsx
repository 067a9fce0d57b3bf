import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

import { showMoney } from '#contract/money.ts'
import type { ReviewedPayment } from '#contract/orders.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'

import { CopyButton } from './copy-button.tsx'
import { Moment } from './moment.tsx'
import { missing } from './order-words.ts'
import { explainReason } from './review-reason.ts'
import type { Review } from './use-review.ts'

/** What was paid, or may have been, and is no order. Nothing paid is ever invisible. */
export function ReviewSection({ review }: { review: Review }) {
  const { payments, hasMore, isError, isAsking, askAgain, handlingId, markAsHandled } = review

  if (isError) {
    return (
      <Notice look="danger" role="alert" className="mt-7">
        Payments that may need your attention could not be loaded.{' '}
        <button
          type="button"
          aria-disabled={isAsking}
          onClick={askAgain}
          className="font-medium underline underline-offset-4"
        >
          Try again
        </button>
      </Notice>
    )
  }
  if (payments.length === 0) return null
  return (
    <section
      aria-labelledby="payments-in-review"
      className="mt-7 rounded-2xl border border-warning-line bg-warning-wash px-5 py-5 sm:px-6"
    >
      <h2
        id="payments-in-review"
        className="flex items-center gap-2.5 font-semibold tracking-tight text-warning"
      >
        <TriangleAlert aria-hidden className="size-4.5 shrink-0" />
        {payments.length === 1
          ? 'A payment needs your attention'
          : `${hasMore ? 'More than ' : ''}${payments.length} payments need your attention`}
      </h2>
      <p className="mt-1.5 max-w-2xl text-sm/6 text-soft">
        What was paid, or may have been, did not fit the sale, so no order was made. Look it up in
        SumUp, by its transaction code where there is one. Where money was taken, refund it there,
        or write to the customer.
        {hasMore && ' The newest are shown; the others follow as you deal with these.'}
      </p>
      <ul className="mt-4 flex flex-col gap-3">
        {payments.map((payment) => (
          <PaymentCard
            key={payment.id}
            payment={payment}
            isLeaving={payment.id === handlingId}
            onHandled={() => markAsHandled(payment)}
          />
        ))}
      </ul>
    </section>
  )
}

type PaymentCardProps = { payment: ReviewedPayment; isLeaving: boolean; onHandled: () => void }

function PaymentCard({ payment, isLeaving, onHandled }: PaymentCardProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-3 rounded-xl border border-warning-line bg-card px-4 py-3.5">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-medium wrap-anywhere">
          {payment.productName} · <bdi>{showMoney(payment.amount, payment.currency)}</bdi>
        </p>
        <p className="mt-0.5 text-sm text-soft">{explainReason(payment.reason)}</p>
      </div>
      <dl className="grid min-w-0 grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5 text-[0.8125rem]/5">
        <Fact name="SumUp code">
          {payment.transactionCode ? <Code code={payment.transactionCode} /> : missing}
        </Fact>
        <Fact name="Customer">
          {payment.customerEmail ? (
            <a
              href={`mailto:${payment.customerEmail}`}
              className="wrap-anywhere underline decoration-line-strong underline-offset-4 hover:decoration-current"
            >
              {payment.customerEmail}
            </a>
          ) : (
            missing
          )}
        </Fact>
        <Fact name="Begun">
          <Moment at={payment.createdAt} />
        </Fact>
      </dl>
      <Button isPending={isLeaving} onClick={onHandled} className="max-sm:w-full">
        Mark as handled
      </Button>
    </li>
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

function Code({ code }: { code: string }) {
  return (
    <>
      <bdi className="truncate font-mono">{code}</bdi>
      <CopyButton text={code} name="Copy transaction code" className="-my-1.5" />
    </>
  )
}
