import { refusalOf, refusalText } from '#web/api.ts'

import { findPriceTexts, language, texts } from './language.ts'

/** Why the server refused, in the page's language; undefined where only its own words are known, which are English. */
export function describeRefusal(error: unknown): string | undefined {
  return translateRefusal({ ...refusalOf(error), text: refusalText(error) })
}

type Refused = { code?: string | undefined; field?: string | undefined; text: string | undefined }

export function translateRefusal({ code = '', field, text }: Refused): string | undefined {
  const own: Record<string, string> = { ...texts().refusals, ...findPriceTexts()?.refusals }
  if (Object.hasOwn(own, code)) return own[code]
  if (language() === 'en') return text
  return field ? texts().errors.wrongField : undefined
}
