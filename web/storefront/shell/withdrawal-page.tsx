import type { WithdrawalPageData } from '#contract/public-pages.ts'
import { formatReceived } from '#contract/withdrawal-text.ts'
import { statementFields } from '#contract/withdrawals.ts'
import { Receipt } from '#web/ui/receipt.tsx'

import { language } from './language.ts'
import { pageTexts } from './page-texts.ts'
import { ShopContact } from './shop-contact.tsx'
import { LanguageSwitch, withdrawalFormUrl } from './shop-footer.tsx'
import {
  backClass,
  PrimaryButton,
  WithdrawalDetails,
  WithdrawalReceived,
  WithdrawalStatementText,
} from './withdrawal-dialog.tsx'

/** The steps of the dialog, each an answer of the server: for browsers without script, and from pages that have none. */
export function WithdrawalPage(data: WithdrawalPageData) {
  const { shop, step, spoken } = data
  return (
    <main className="grid min-h-dvh place-items-center overflow-x-clip p-4">
      <Receipt className="max-w-md">
        <div className="px-6 pt-6 pb-10 sm:px-8">
          {shop.name && <p className="mb-4 font-semibold wrap-anywhere">{shop.name}</p>}
          <h1 className="text-xl font-semibold tracking-tight">
            {step === 'done' ? pageTexts().withdrawal.received : pageTexts().withdrawal.here}
          </h1>
          <div className="mt-3">
            <WithdrawalStep {...data} />
          </div>
          <div className="mt-6 text-sm/6 text-soft">
            <ShopContact shop={shop} />
            {step === 'details' && <LanguageSwitch spoken={spoken} />}
          </div>
        </div>
      </Receipt>
    </main>
  )
}

function WithdrawalStep(data: WithdrawalPageData) {
  const { step, statement, problem, receivedAt, shop, spoken } = data
  const form = { method: 'post', action: withdrawalFormUrl(spoken) }
  switch (step) {
    case 'details':
      return (
        <form {...form}>
          <WithdrawalDetails known={statement} problem={problem} />
        </form>
      )
    case 'confirm':
      return (
        <form {...form}>
          {statementFields.map((name) => (
            <input key={name} type="hidden" name={name} value={statement[name]} />
          ))}
          <WithdrawalStatementText statement={statement} problem={problem} />
          <PrimaryButton name="step" value="confirm">
            {pageTexts().withdrawal.confirm}
          </PrimaryButton>
          <button name="step" value="change" className={backClass}>
            {pageTexts().withdrawal.change}
          </button>
        </form>
      )
    case 'done':
      return (
        <WithdrawalReceived
          email={statement.email}
          shop={shop}
          {...(receivedAt && { receivedAt: formatReceived(receivedAt, language()) })}
        />
      )
  }
}
