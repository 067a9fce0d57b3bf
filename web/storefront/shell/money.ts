import { languages } from '#contract/languages.ts'
import { formatMoney } from '#contract/money.ts'

import { language } from './language.ts'

/** An amount as the page's language writes it. */
export function showMoney(amount: string, currency: string): string {
  return formatMoney(amount, currency, languages[language()].locale)
}
