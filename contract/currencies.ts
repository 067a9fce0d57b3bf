/** The currencies a product may be priced in, in the order the list shows them. */
export const currencies = [
  { code: 'EUR', symbol: '€', name: 'Euro' },
  { code: 'GBP', symbol: '£', name: 'British Pound' },
  { code: 'USD', symbol: '$', name: 'US Dollar' },
  { code: 'CHF', symbol: 'Fr', name: 'Swiss Franc' },
  { code: 'PLN', symbol: 'zł', name: 'Polish Zloty' },
  { code: 'SEK', symbol: 'kr', name: 'Swedish Krona' },
  { code: 'NOK', symbol: 'kr', name: 'Norwegian Krone' },
  { code: 'DKK', symbol: 'kr', name: 'Danish Krone' },
  { code: 'CZK', symbol: 'Kč', name: 'Czech Koruna' },
  { code: 'HUF', symbol: 'Ft', name: 'Hungarian Forint' },
  { code: 'RON', symbol: 'lei', name: 'Romanian Leu' },
  { code: 'BGN', symbol: 'лв', name: 'Bulgarian Lev' },
  { code: 'BRL', symbol: 'R$', name: 'Brazilian Real' },
  { code: 'CLP', symbol: '$', name: 'Chilean Peso' },
  { code: 'COP', symbol: '$', name: 'Colombian Peso' },
] as const

export type CurrencyCode = (typeof currencies)[number]['code']

/** The only currency of SumUp without cents. */
const withoutCents: CurrencyCode[] = ['CLP']

export function hasCents(currency: CurrencyCode): boolean {
  return !withoutCents.includes(currency)
}

export const currencyCodes = currencies.map((currency) => currency.code)

export const defaultCurrency: CurrencyCode = 'EUR'
