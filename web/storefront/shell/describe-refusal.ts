import { refusalOf, refusalText } from '#web/api.ts'

import { language, texts } from './language.ts'

/** Why the server refused, in the page's language where we have that; else in the server's words, which are English. */
export function describeRefusal(error: unknown): string | undefined {
  const { code = '', field } = refusalOf(error)
  const own: Record<string, string> = texts().refusals
  if (Object.hasOwn(own, code)) return own[code]
  return field && language() !== 'en' ? texts().errors.wrongField : refusalText(error)
}
