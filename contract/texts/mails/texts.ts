import type { TextsLike } from '#contract/languages.ts'
import type { en } from './en.ts'

/** The same texts in any language. */
export type MailTexts = TextsLike<typeof en>
