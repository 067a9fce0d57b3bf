import type { ReactNode } from 'react'

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
        <p className={textClass}>
          Tell us which purchase you withdraw from. You need not give a reason.
        </p>
        <p role="alert" data-problem="" className="mt-3 text-sm/6 text-danger empty:hidden" />
        <Field name="name" label="Your name" autoComplete="name" known={known.name} />
        <Field
          name="orderNumber"
          label="Order number"
          hint="It is in your confirmation email, such as #1042."
          known={known.orderNumber}
        />
        <Field
          name="email"
          label="Email"
          type="email"
          autoComplete="email"
          hint="The one that you bought with. The acknowledgement is sent there."
          known={known.email}
        />
        <PrimaryButton>Continue</PrimaryButton>
      </form>
      <form data-withdraw="confirm" method="dialog" hidden tabIndex={-1} className={stepClass}>
        <p className={textClass}>You are about to state:</p>
        <p className="mt-3 rounded-xl border border-line bg-well px-4 py-3 text-[0.9375rem]/6 wrap-anywhere">
          I hereby withdraw from my contract of sale about the order{' '}
          <bdi data-shown="orderNumber" className="font-medium" />.
          <br />
          <bdi data-shown="name" />
          <br />
          <bdi data-shown="email" />
        </p>
        <p role="alert" data-problem="" className="mt-3 text-sm/6 text-danger empty:hidden" />
        <PrimaryButton>{confirmLabel}</PrimaryButton>
        <button
          type="button"
          data-withdraw-back=""
          className="mt-2 flex min-h-11 w-full items-center justify-center rounded-xl text-sm font-medium text-soft underline underline-offset-3"
        >
          Change details
        </button>
      </form>
      <div data-withdraw="done" hidden tabIndex={-1} className={stepClass}>
        <p className={textClass}>
          We have received your withdrawal on <bdi data-shown="receivedAt" />. We acknowledge it by
          email to <bdi data-shown="email" className="font-medium text-ink wrap-anywhere" />, with
          its content, date and time, at most three times an hour.
        </p>
      </div>
    </DialogFrame>
  )
}

const textClass = 'text-[0.9375rem]/6 text-soft'
const stepClass = 'mt-3 outline-none'

type FieldProps = {
  name: keyof WithdrawalStatement
  label: string
  type?: 'text' | 'email'
  autoComplete?: string
  hint?: string
  known: string | undefined
}

function Field({ name, label, type = 'text', autoComplete = 'off', hint, known }: FieldProps) {
  const id = `${withdrawId}-${name}`
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
        defaultValue={known}
        aria-describedby={hint && `${id}-hint`}
        className="mt-1.5 h-12 w-full rounded-lg border border-line-strong bg-card px-3.5 text-base"
      />
      {hint && (
        <p id={`${id}-hint`} className="mt-1 text-[0.8125rem]/5 text-muted">
          {hint}
        </p>
      )}
    </div>
  )
}

function PrimaryButton({ children }: { children: ReactNode }) {
  return (
    <button className="mt-5 flex h-12 w-full items-center justify-center rounded-xl bg-accent font-semibold text-on-accent transition-colors hover:bg-accent-strong aria-disabled:opacity-60">
      {children}
    </button>
  )
}
