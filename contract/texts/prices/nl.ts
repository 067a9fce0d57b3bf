import type { PriceTexts } from './en.ts'

export const nl: PriceTexts = {
  discount: 'Korting ({code})',
  pickup: 'Afhalen',
  plusShipping: '{amount} + verzending',
  countryFirst: 'Kies hierboven een land om de verzendkosten te zien. Daarna kun je hier betalen.',
  announced: 'Verzending: {shipping}. Totaal: {total}.',
  refusals: {
    'country-needed': 'De verzendkosten hangen af van het land. Kies er een.',
    'terms-changed': 'Deze prijs gold voor een andere bezorging. Bekijk die nog een keer.',
    'code-unknown': 'De kortingscode is niet meer geldig. Bekijk de prijs zonder die code.',
    'code-used-up': 'De kortingscode is door anderen opgebruikt. Bekijk de prijs zonder die code.',
  },
}
