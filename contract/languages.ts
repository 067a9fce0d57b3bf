/** The languages of buyers' pages and mails. English is the first, and that of the back-office. */
export const languages = {
  en: { name: 'English', locale: 'en-GB' },
  de: { name: 'Deutsch', locale: 'de-DE' },
  fr: { name: 'Français', locale: 'fr-FR' },
  it: { name: 'Italiano', locale: 'it-IT' },
  nl: { name: 'Nederlands', locale: 'nl-NL' },
} as const

export type Language = keyof typeof languages

export const languageCodes = Object.keys(languages) as [Language, ...Language[]]
export const defaultLanguage: Language = 'en'

/** What the owner chooses: one language for all, or each buyer's own. */
export const buyersLanguages = [...languageCodes, 'browser'] as const
export type BuyersLanguage = (typeof buyersLanguages)[number]

/** The query of a buyers' page that chooses its language. */
export const languageQuery = 'lang'

type Wish = {
  /** Chosen on the page. */
  chosen: unknown
  /** Accept-Language, which the browser sends. */
  accepted: string | undefined
}

/** The language of a page: the owner's choice, else the buyer's, else what their browser asks for. */
export function chooseLanguage(setting: BuyersLanguage, { chosen, accepted }: Wish): Language {
  if (setting !== 'browser') return setting
  return findLanguage(chosen) ?? findAccepted(accepted) ?? defaultLanguage
}

export function findLanguage(code: unknown): Language | undefined {
  return languageCodes.find((known) => known === code)
}

/** Longer than any browser's. */
const maxAcceptedLength = 200

/** 'fr-CH, de;q=0.9' is French: the first of the best that we have. */
function findAccepted(accepted = ''): Language | undefined {
  const wishes = accepted
    .slice(0, maxAcceptedLength)
    .split(',')
    .map((entry) => {
      const [range = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
      return { language: findLanguage(range.split('-')[0]), weight: Number(weight) || 0 }
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
  return wishes.find(({ language }) => language)?.language
}

/** Every text of a dictionary, of any length: what other languages must have, too. */
export type TextsLike<Dictionary> = {
  readonly [Name in keyof Dictionary]: Dictionary[Name] extends string
    ? string
    : TextsLike<Dictionary[Name]>
}

/** Some of the texts of a dictionary, and no others. */
export type SomeTexts<Dictionary> = {
  readonly [Name in keyof Dictionary]?: Dictionary[Name] extends string
    ? string
    : SomeTexts<Dictionary[Name]>
}

/** Puts values into a text: fillText('Thank you, {name}!', { name }). Every place must be filled. */
export function fillText(text: string, values: Record<string, string>): string {
  return text.replaceAll(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place)
}
