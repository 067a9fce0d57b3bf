import type { Language } from '#contract/languages.ts'
import { de } from './de.ts'
import { en, type WithdrawalTexts } from './en.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { nl } from './nl.ts'

export const withdrawalTextsOf: Record<Language, WithdrawalTexts> = { en, de, fr, it, nl }
