import { Undo2 } from 'lucide-react'
import { useId, useState } from 'react'

import type { Withdrawal } from '#contract/withdrawals.ts'
import { Button } from '#web/ui/button.tsx'

import { DateTime, TestBadge } from './order-display.tsx'
import { formatCount } from './order-text.ts'
import type { OrderNavigation } from './order-url.ts'
import { describeDeadline, describeWithdrawal, WithdrawalActions } from './withdrawals.tsx'

type WithdrawalSectionProps = { withdrawals: readonly Withdrawal[]; navigation: OrderNavigation }

/** The orders below stay near; anybody can state that they withdraw. */
const firstShown = 3

/** Statements of buyers who withdraw that wait for the owner, the most urgent first. */
export function WithdrawalSection({ withdrawals, navigation }: WithdrawalSectionProps) {
  const [showsAll, setShowsAll] = useState(false)
  const shown = showsAll ? withdrawals : withdrawals.slice(0, firstShown)
  return (
    <section
      aria-labelledby="open-withdrawals"
      className="mt-7 rounded-2xl border border-warning-line bg-warning-wash px-5 py-5 sm:px-6"
    >
      <h2
        id="open-withdrawals"
        className="flex items-center gap-2.5 font-semibold tracking-tight text-warning"
      >
        <Undo2 aria-hidden className="size-4.5 shrink-0" />
        {withdrawals.length === 1
          ? 'A customer withdraws from a purchase'
          : `${formatCount(withdrawals.length)} customers withdraw from purchases`}
      </h2>
      <p className="mt-1.5 max-w-2xl text-sm/6 text-soft">
        Where there is the right to withdraw, what was paid has to go back within 14 days. You may
        wait until the goods are back, or until the customer has shown that they were sent.
      </p>
      <ul className="mt-4 flex flex-col gap-3">
        {shown.map((withdrawal) => (
          <WithdrawalCard key={withdrawal.id} withdrawal={withdrawal} navigation={navigation} />
        ))}
      </ul>
      {shown.length < withdrawals.length && (
        <Button look="bare" onClick={() => setShowsAll(true)} className="mt-2">
          Show all {formatCount(withdrawals.length)}
        </Button>
      )}
    </section>
  )
}

type WithdrawalCardProps = { withdrawal: Withdrawal; navigation: OrderNavigation }

function WithdrawalCard({ withdrawal, navigation }: WithdrawalCardProps) {
  const titleId = useId()
  const { order, name, email, orderNumber, createdAt, isTest } = withdrawal
  const deadline = describeDeadline(withdrawal)

  return (
    <li className="rounded-xl border border-warning-line bg-card px-4 py-4 text-sm/6 sm:px-5">
      <p id={titleId} className="font-medium wrap-anywhere">
        <bdi>{order ? order.product : `Order number “${orderNumber}”`}</bdi>
        {order?.number && <span className="ms-2 font-normal text-soft">#{order.number}</span>}{' '}
        <TestBadge isTest={isTest} />
      </p>
      <p className="wrap-anywhere text-soft">
        <bdi>{name}</bdi>, <bdi>{email}</bdi>, on <DateTime at={createdAt} />
      </p>
      {deadline && <p className="font-medium">{deadline}</p>}
      {describeWithdrawal(withdrawal).map((text) => (
        <p key={text} className="max-w-prose text-soft">
          {text}
        </p>
      ))}
      <WithdrawalActions withdrawal={withdrawal} describedBy={titleId}>
        {order ? (
          <>
            <Button
              size="small"
              aria-describedby={titleId}
              onClick={() => navigation.openPanel({ kind: 'refund', id: order.id })}
            >
              Refund
            </Button>
            <Button
              size="small"
              aria-describedby={titleId}
              onClick={() => navigation.open(order.id)}
            >
              Open order
            </Button>
          </>
        ) : (
          <Button size="small" aria-describedby={titleId} onClick={() => navigation.search(email)}>
            Search this email
          </Button>
        )}
      </WithdrawalActions>
    </li>
  )
}
