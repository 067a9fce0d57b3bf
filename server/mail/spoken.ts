import { languages, type Language } from '#contract/languages.ts'
import { formatMoney } from '#contract/money.ts'
import { mailTextsOf, pageTextsOf, priceTextsOf } from '#contract/texts/all.ts'
import type { MailTexts } from '#contract/texts/mails/en.ts'
import type { PageTexts, PriceTexts } from '#contract/texts/pages/en.ts'

/** The language of a mail, with what it needs to be written in it. */
export type Spoken = {
  language: Language
  locale: string
  texts: MailTexts
  /** Buyers' pages say these in the same words. */
  shared: Pick<PageTexts, 'returned' | 'withdrawal'>
  prices: PriceTexts
  showMoney: (amount: string, currency: string) => string
}

export function speak(language: Language): Spoken {
  const { locale } = languages[language]
  return {
    language,
    locale,
    texts: mailTextsOf[language],
    shared: pageTextsOf[language],
    prices: priceTextsOf[language],
    showMoney: (amount, currency) => formatMoney(amount, currency, locale),
  }
}
