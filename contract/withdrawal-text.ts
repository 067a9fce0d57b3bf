import { fillText, languages, type Language } from './languages.ts'
import type { WithdrawalTexts } from './texts/pages/en.ts'

/** When a statement was received, as the page and the mail that acknowledge it say it. */
export function formatReceived(receivedAt: Date, language: Language): string {
  const format = new Intl.DateTimeFormat(languages[language].locale, {
    dateStyle: 'long',
    timeStyle: 'medium',
    timeZone: 'UTC',
  })
  return `${format.format(receivedAt)} (UTC)`
}

type Seller = {
  name: string | null
  email: string | null
  postalAddress: string | null
  sendsMails: boolean
}

type PolicyTexts = WithdrawalTexts & {
  /** The label of the function. */
  here: string
}

/** The instructions on withdrawal and the model form, in paragraphs. */
export function writeWithdrawalPolicy(seller: Seller, texts: PolicyTexts): string[] {
  const values = {
    seller: describeSeller(seller, texts.theShop),
    here: texts.here,
    confirmed: seller.sendsMails ? texts.confirmed : '',
  }
  const fill = (text: string) => fillText(text, values)
  return [...texts.instructions.map(fill), texts.form.map(fill).join('\n')]
}

/** What the owner has not told is left out. */
function describeSeller({ name, email, postalAddress }: Seller, theShop: string): string {
  const address = postalAddress?.split('\n').map((part) => part.trim())
  return [name ?? theShop, ...(address ?? []), email].filter(Boolean).join(', ')
}
