import type { PriceTexts } from './en.ts'

export const fr: PriceTexts = {
  discount: 'Remise ({code})',
  pickup: 'Retrait sur place',
  plusShipping: '{amount} + livraison',
  countryFirst:
    'Choisissez un pays ci-dessus pour voir les frais de livraison. Vous pourrez ensuite payer ici.',
  announced: 'Livraison\u00a0: {shipping}. Total\u00a0: {total}.',
  refusals: {
    'country-needed': 'Les frais de livraison dépendent du pays. Veuillez en choisir un.',
    'terms-changed':
      'Ce prix était prévu pour une autre livraison. Veuillez le vérifier à nouveau.',
    'code-unknown': 'Le code de remise n’est plus valable. Veuillez vérifier le prix sans ce code.',
    'code-used-up':
      'Le code de remise a été épuisé par d’autres personnes. Veuillez vérifier le prix sans ce code.',
  },
}
