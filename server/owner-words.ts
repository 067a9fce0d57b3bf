/** What log and doctor say by the names of settings, in the words of the back-office. */
const settingWords: [name: RegExp, words: string][] = [
  [/SUMUP_API_KEY/, 'the API key'],
  [/SUMUP_MERCHANT_CODE/, 'the merchant code'],
  [/PAYMENT_CURRENCY=(\w+)/, 'the payment currency to $1'],
  [/CUSTOM_DOMAIN/, 'the domain for payment pages'],
  [/PUBLIC_URL/, 'the public address'],
]

/** The text without names of settings, and those names for the small print. */
export function inOwnersWords(text: string): { text: string; howTo: string | undefined } {
  const named = settingWords.filter(([name]) => name.test(text))
  const howTo = named.map(([name]) => name.exec(text)?.[0] ?? '').join(', ')
  return {
    text: named.reduce((rest, [name, words]) => rest.replace(name, words), text),
    howTo: howTo || undefined,
  }
}
