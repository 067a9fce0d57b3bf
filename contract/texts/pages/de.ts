import { en } from './en.ts'
import type { PageTexts } from './texts.ts'

export const de: PageTexts = en
