import { en } from './en.ts'
import type { PageTexts } from './texts.ts'

export const fr: PageTexts = en
