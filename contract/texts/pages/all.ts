import type { Language } from '#contract/languages.ts'
import { de } from './de.ts'
import { en, type PageTexts } from './en.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { nl } from './nl.ts'

export const pageTextsOf: Record<Language, PageTexts> = { en, de, fr, it, nl }
