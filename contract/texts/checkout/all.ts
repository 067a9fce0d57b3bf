import type { Language } from '#contract/languages.ts'
import { de } from './de.ts'
import { en, type CheckoutTexts } from './en.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { nl } from './nl.ts'

export const checkoutTextsOf: Record<Language, CheckoutTexts> = { en, de, fr, it, nl }
