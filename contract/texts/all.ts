import type { Language } from '#contract/languages.ts'
import { mails as deMails } from './mails/de.ts'
import { mails as enMails } from './mails/en.ts'
import { mails as frMails } from './mails/fr.ts'
import { mails as itMails } from './mails/it.ts'
import { mails as nlMails } from './mails/nl.ts'
import * as de from './pages/de.ts'
import * as en from './pages/en.ts'
import * as fr from './pages/fr.ts'
import * as it from './pages/it.ts'
import * as nl from './pages/nl.ts'
import type { MailTexts } from './mails/en.ts'
import type {
  CheckoutTexts,
  MethodTexts,
  PageTexts,
  PriceTexts,
  WithdrawalTexts,
} from './pages/en.ts'

/** What buyers read, by language. A page gets the groups that it uses, in the language that it is read in. */

export const checkoutTextsOf: Record<Language, CheckoutTexts> = {
  en: en.checkout,
  de: de.checkout,
  fr: fr.checkout,
  it: it.checkout,
  nl: nl.checkout,
}

export const methodTextsOf: Record<Language, MethodTexts> = {
  en: en.methods,
  de: de.methods,
  fr: fr.methods,
  it: it.methods,
  nl: nl.methods,
}

export const priceTextsOf: Record<Language, PriceTexts> = {
  en: en.prices,
  de: de.prices,
  fr: fr.prices,
  it: it.prices,
  nl: nl.prices,
}

export const pageTextsOf: Record<Language, PageTexts> = {
  en: en.pages,
  de: de.pages,
  fr: fr.pages,
  it: it.pages,
  nl: nl.pages,
}

export const withdrawalTextsOf: Record<Language, WithdrawalTexts> = {
  en: en.withdrawal,
  de: de.withdrawal,
  fr: fr.withdrawal,
  it: it.withdrawal,
  nl: nl.withdrawal,
}

export const mailTextsOf: Record<Language, MailTexts> = {
  en: enMails,
  de: deMails,
  fr: frMails,
  it: itMails,
  nl: nlMails,
}

/** The texts of a checkout that takes more than cards, and those about the other ways. */
export function textsWithMethods(language: Language) {
  const { instead, ...methods } = methodTextsOf[language]
  return { texts: replaceTexts(checkoutTextsOf[language], instead), methods }
}

type Texts = { readonly [name: string]: string | Texts }

/** `instead` has some of the texts, under the same names: en.ts is checked for that. */
function replaceTexts<All extends Texts>(all: All, instead: Texts): All {
  const replaced = Object.entries(instead).map(([name, text]) => {
    const before = all[name]
    const isNested = typeof text === 'object' && typeof before === 'object'
    return [name, isNested ? replaceTexts(before, text) : text] as const
  })
  return { ...all, ...Object.fromEntries(replaced) }
}
