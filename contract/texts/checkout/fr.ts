import { en } from './en.ts'
import type { CheckoutTexts } from './texts.ts'

export const fr: CheckoutTexts = en
