import type { ButtonHTMLAttributes } from 'react'

import type { ShopFacts, WithdrawalPageData } from '#contract/public-pages.ts'
import { maxStatementLengths, withdrawId, type WithdrawalStatement } from '#contract/withdrawals.ts'

import { translateRefusal } from './describe-refusal.ts'
import { DialogFrame } from './dialog-frame.tsx'
import { fillNodes } from './fill-nodes.tsx'
import { texts } from './language.ts'
import { pageTexts } from './page-texts.ts'

/** Of the order, where it is known: mails about orders of test mode do not reach buyers. */
type MailFacts = Pick<ShopFacts, 'sendsMails' | 'isTestMode'>

/**
 * Withdrawing in two steps, as the law wants it: who and which purchase, then a button that says nothing but what it does.
 * withdraw.ts moves between the steps.
 */
export function WithdrawalDialog({
  known,
  shop,
}: {
  known: Partial<WithdrawalStatement>
  shop: MailFacts
}) {
  return (
    <DialogFrame id={withdrawId} title={pageTexts().withdrawal.here}>
      <form data-withdraw="details" method="dialog" className="mt-3">
        <WithdrawalDetails known={known} />
      </form>
      <form data-withdraw="confirm" method="dialog" hidden tabIndex={-1} className={stepClass}>
        <WithdrawalStatementText />
        <PrimaryButton>{pageTexts().withdrawal.confirm}</PrimaryButton>
        <button type="button" data-withdraw-back="" className={backClass}>
          {pageTexts().withdrawal.change}
        </button>
      </form>
      <div data-withdraw="done" hidden tabIndex={-1} className={stepClass}>
        <WithdrawalReceived shop={shop} />
      </div>
    </DialogFrame>
  )
}

const textClass = 'text-[0.9375rem]/6 text-soft'
const stepClass = 'mt-3 outline-none'
export const backClass =
  'mt-2 flex min-h-11 w-full items-center justify-center rounded-xl text-sm font-medium text-soft underline underline-offset-3'

type Problem = WithdrawalPageData['problem']

function describeProblem(problem: NonNullable<Problem>): string {
  return translateRefusal(problem) ?? texts().withdrawal.notSent
}

/** What is not about a field. */
function ProblemText({ problem }: { problem: Problem }) {
  return (
    <p role="alert" data-problem="" className="mt-3 text-sm/6 text-danger empty:hidden">
      {problem && !problem.field && describeProblem(problem)}
    </p>
  )
}

type DetailsProps = { known: Partial<WithdrawalStatement>; problem?: Problem }

/** The first step: who withdraws from which purchase. */
export function WithdrawalDetails({ known, problem }: DetailsProps) {
  const shared = { known, problem }
  const texts = pageTexts().withdrawal
  return (
    <>
      <p className={textClass}>{texts.which}</p>
      <ProblemText problem={problem} />
      <Field name="name" label={texts.name} autoComplete="name" {...shared} />
      <Field
        name="orderNumber"
        label={texts.orderNumber}
        hint={texts.orderNumberHint}
        {...shared}
      />
      <Field
        name="email"
        label={texts.email}
        type="email"
        autoComplete="email"
        hint={texts.emailHint}
        {...shared}
      />
      <PrimaryButton>{texts.continue}</PrimaryButton>
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
      <p className={textClass}>{pageTexts().withdrawal.aboutToState}</p>
      <p className="mt-3 rounded-xl border border-line bg-well px-4 py-3 text-[0.9375rem]/6 wrap-anywhere">
        {fillNodes(pageTexts().withdrawal.statement, {
          orderNumber: (
            <bdi data-shown="orderNumber" className="font-medium">
              {statement?.orderNumber}
            </bdi>
          ),
        })}
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
  shop: { sendsMails, isTestMode },
}: {
  email?: string | undefined
  receivedAt?: string
  shop: MailFacts
}) {
  const texts = pageTexts().withdrawal
  const mailedText = isTestMode ? texts.receivedTestText : texts.receivedText
  return (
    <p className={textClass}>
      {fillNodes(sendsMails ? mailedText : texts.receivedUnmailedText, {
        receivedAt: <bdi data-shown="receivedAt">{receivedAt}</bdi>,
        email: (
          <bdi data-shown="email" className="font-medium text-ink wrap-anywhere">
            {email}
          </bdi>
        ),
      })}
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
        {isWrong && describeProblem(problem)}
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
