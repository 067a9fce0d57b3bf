import type { PriceTexts } from './en.ts'

export const it: PriceTexts = {
  discount: 'Sconto ({code})',
  pickup: 'Ritiro',
  plusShipping: '{amount} + spedizione',
  countryFirst: 'Scelga un Paese qui sopra per vedere i costi di spedizione. Poi potrà pagare qui.',
  announced: 'Spedizione: {shipping}. Totale: {total}.',
  refusals: {
    'country-needed': 'I costi di spedizione dipendono dal Paese. Ne scelga uno.',
    'terms-changed': 'Questo prezzo valeva per un’altra consegna. Lo controlli di nuovo.',
    'code-unknown': 'Il codice sconto non è più valido. Controlli il prezzo senza sconto.',
    'code-used-up': 'Il codice sconto è stato esaurito da altri. Controlli il prezzo senza sconto.',
  },
}
