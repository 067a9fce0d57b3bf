import type { Language } from '#contract/languages.ts'
import { de } from './de.ts'
import { en, type PriceTexts } from './en.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { nl } from './nl.ts'

export const priceTextsOf: Record<Language, PriceTexts> = { en, de, fr, it, nl }
