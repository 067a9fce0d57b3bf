import type { Language } from '#contract/languages.ts'
import { checkoutTextsOf } from '#contract/texts/checkout/all.ts'
import type { CheckoutTexts } from '#contract/texts/checkout/en.ts'
import { de } from './de.ts'
import { en, type MethodTexts } from './en.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { nl } from './nl.ts'

export const methodTextsOf: Record<Language, MethodTexts> = { en, de, fr, it, nl }

/** The texts of a checkout that takes more than cards, and those about the other ways. */
export function textsWithMethods(language: Language) {
  const { instead, ...methods } = methodTextsOf[language]
  return { texts: replaceTexts(checkoutTextsOf[language], instead) as CheckoutTexts, methods }
}

type Texts = { [name: string]: string | Texts }

function replaceTexts(all: Texts, instead: Texts): Texts {
  const replaced = Object.entries(instead).map(([name, text]): [string, string | Texts] => {
    const before = all[name]
    const isNested = typeof text === 'object' && typeof before === 'object'
    return [name, isNested ? replaceTexts(before, text) : text]
  })
  return { ...all, ...Object.fromEntries(replaced) }
}
