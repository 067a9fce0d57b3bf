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

type Pages = typeof en | typeof de | typeof fr | typeof it | typeof nl

function byLanguage<Texts>(choose: (pages: Pages) => Texts): Record<Language, Texts> {
  return { en: choose(en), de: choose(de), fr: choose(fr), it: choose(it), nl: choose(nl) }
}

export const checkoutTextsOf = byLanguage<CheckoutTexts>(({ checkout }) => checkout)
export const methodTextsOf = byLanguage<MethodTexts>(({ methods }) => methods)
export const priceTextsOf = byLanguage<PriceTexts>(({ prices }) => prices)
export const pageTextsOf = byLanguage<PageTexts>(({ pages }) => pages)
export const withdrawalTextsOf = byLanguage<WithdrawalTexts>(({ withdrawal }) => withdrawal)

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
