import { en } from './en.ts'
import type { WithdrawalTexts } from './texts.ts'

export const de: WithdrawalTexts = en
