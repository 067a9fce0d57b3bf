import type { Language } from '#contract/languages.ts'
import { de } from './de.ts'
import { en, type MailTexts } from './en.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { nl } from './nl.ts'

export const mailTextsOf: Record<Language, MailTexts> = { en, de, fr, it, nl }
