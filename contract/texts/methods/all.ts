import type { Language } from '#contract/languages.ts'
import { checkoutTextsOf } from '#contract/texts/checkout/all.ts'
import { de } from './de.ts'
import { en, type MethodTexts } from './en.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { nl } from './nl.ts'

export const methodTextsOf: Record<Language, MethodTexts> = { en, de, fr, it, nl }

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
