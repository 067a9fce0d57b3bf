import type { PriceTexts } from './en.ts'

export const de: PriceTexts = {
  discount: 'Rabatt ({code})',
  pickup: 'Abholung',
  plusShipping: '{amount} + Versand',
  countryFirst:
    'Wählen Sie oben ein Land, um die Versandkosten zu sehen. Dann können Sie hier bezahlen.',
  announced: 'Versand: {shipping}. Gesamt: {total}.',
  refusals: {
    'country-needed': 'Die Versandkosten hängen vom Land ab. Bitte wählen Sie eines aus.',
    'terms-changed':
      'Dieser Preis galt für eine andere Lieferung. Bitte sehen Sie ihn sich noch einmal an.',
    'code-unknown': 'Der Rabattcode gilt nicht mehr. Bitte sehen Sie sich den Preis ohne ihn an.',
    'code-used-up':
      'Der Rabattcode wurde von anderen aufgebraucht. Bitte sehen Sie sich den Preis ohne ihn an.',
  },
}
