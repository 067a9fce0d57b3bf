import type { ButtonHTMLAttributes } from 'react'

import type { WithdrawalPageData } from '#contract/public-pages.ts'
import {
  confirmLabel,
  maxStatementLengths,
  withdrawId,
  withdrawLabel,
  type WithdrawalStatement,
} from '#contract/withdrawals.ts'

import { DialogFrame } from './dialog-frame.tsx'

/**
 * Withdrawing in two steps, as the law wants it: who and which purchase, then a button that says nothing but what it does.
 * withdraw.ts moves between the steps.
 */
export function WithdrawalDialog({ known }: { known: Partial<WithdrawalStatement> }) {
  return (
    <DialogFrame id={withdrawId} title={withdrawLabel}>
      <form data-withdraw="details" method="dialog" className="mt-3">
        <WithdrawalDetails known={known} />
      </form>
      <form data-withdraw="confirm" method="dialog" hidden tabIndex={-1} className={stepClass}>
        <WithdrawalStatementText />
        <PrimaryButton>{confirmLabel}</PrimaryButton>
        <button type="button" data-withdraw-back="" className={backClass}>
          {backLabel}
        </button>
      </form>
      <div data-withdraw="done" hidden tabIndex={-1} className={stepClass}>
        <WithdrawalReceived />
      </div>
    </DialogFrame>
  )
}

const textClass = 'text-[0.9375rem]/6 text-soft'
const stepClass = 'mt-3 outline-none'
export const backClass =
  'mt-2 flex min-h-11 w-full items-center justify-center rounded-xl text-sm font-medium text-soft underline underline-offset-3'
export const backLabel = 'Change details'

type Problem = WithdrawalPageData['problem']

/** What is not about a field. */
function ProblemText({ problem }: { problem: Problem }) {
  return (
    <p role="alert" data-problem="" className="mt-3 text-sm/6 text-danger empty:hidden">
      {!problem?.field && problem?.text}
    </p>
  )
}

type DetailsProps = { known: Partial<WithdrawalStatement>; problem?: Problem }

/** The first step: who withdraws from which purchase. */
export function WithdrawalDetails({ known, problem }: DetailsProps) {
  const shared = { known, problem }
  return (
    <>
      <p className={textClass}>
        Tell us which purchase you withdraw from. You need not give a reason.
      </p>
      <ProblemText problem={problem} />
      <Field name="name" label="Your name" autoComplete="name" {...shared} />
      <Field
        name="orderNumber"
        label="Order number"
        hint="It is in your confirmation email, such as #1042."
        {...shared}
      />
      <Field
        name="email"
        label="Email"
        type="email"
        autoComplete="email"
        hint="The one that you bought with. The acknowledgement is sent there."
        {...shared}
      />
      <PrimaryButton>Continue</PrimaryButton>
    </>
  )
}

/** The second step: what is stated. In the dialog withdraw.ts fills it in. */
export function WithdrawalStatementText({
  statement,
  problem,
}: {
  statement?: Partial<WithdrawalStatement>
  problem?: Problem
}) {
  return (
    <>
      <p className={textClass}>You are about to state:</p>
      <p className="mt-3 rounded-xl border border-line bg-well px-4 py-3 text-[0.9375rem]/6 wrap-anywhere">
        I hereby withdraw from my contract of sale about the order{' '}
        <bdi data-shown="orderNumber" className="font-medium">
          {statement?.orderNumber}
        </bdi>
        .
        <br />
        <bdi data-shown="name">{statement?.name}</bdi>
        <br />
        <bdi data-shown="email">{statement?.email}</bdi>
      </p>
      <ProblemText problem={problem} />
    </>
  )
}

/** The end. Strangers may type any address, so that the number of mails has a limit. */
export function WithdrawalReceived({
  email,
  receivedAt,
}: {
  email?: string | undefined
  receivedAt?: string
}) {
  return (
    <p className={textClass}>
      We have received your withdrawal on <bdi data-shown="receivedAt">{receivedAt}</bdi>. We
      acknowledge it by email to{' '}
      <bdi data-shown="email" className="font-medium text-ink wrap-anywhere">
        {email}
      </bdi>
      , with its content, date and time, unless too many of these mails were sent in the last hour.
    </p>
  )
}

type FieldProps = {
  name: keyof WithdrawalStatement
  label: string
  type?: 'text' | 'email'
  autoComplete?: string
  hint?: string
  known: Partial<WithdrawalStatement>
  problem: Problem
}

function Field(props: FieldProps) {
  const { name, label, type = 'text', autoComplete = 'off', hint, known, problem } = props
  const id = `${withdrawId}-${name}`
  const isWrong = problem?.field === name
  return (
    <div className="mt-4">
      <label htmlFor={id} className="block text-sm font-medium">
        {label}
      </label>
      <input
        id={id}
        name={name}
        type={type}
        required
        maxLength={maxStatementLengths[name]}
        autoComplete={autoComplete}
        defaultValue={known[name]}
        aria-describedby={hint ? `${id}-problem ${id}-hint` : `${id}-problem`}
        aria-invalid={isWrong || undefined}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- only what has to be typed again
        autoFocus={isWrong}
        className="mt-1.5 h-12 w-full rounded-lg border border-line-strong bg-card px-3.5 text-base aria-invalid:border-danger"
      />
      <p id={`${id}-problem`} className="mt-1 text-sm/6 text-danger empty:hidden">
        {isWrong && problem.text}
      </p>
      {hint && (
        <p id={`${id}-hint`} className="mt-1 text-[0.8125rem]/5 text-muted">
          {hint}
        </p>
      )}
    </div>
  )
}

export function PrimaryButton(props: ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button
      {...props}
      className="mt-5 flex h-12 w-full items-center justify-center rounded-xl bg-accent font-semibold text-on-accent transition-colors hover:bg-accent-strong aria-disabled:opacity-60"
    />
  )
}
