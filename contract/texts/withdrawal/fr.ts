import { en } from './en.ts'
import type { WithdrawalTexts } from './texts.ts'

export const fr: WithdrawalTexts = en
