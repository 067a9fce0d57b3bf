import type { TextsLike } from '#contract/languages.ts'

/** What is said of a price that has parts, on pages and in mails. It travels with a checkout only where the price has some. */
export const en = {
  discount: 'Discount ({code})',
  pickup: 'Pickup',
  /** In place of a total, while the country is not known. */
  plusShipping: '{amount} + shipping',
  countryFirst: 'Choose a country above to see what delivery costs. Then you can pay here.',
  announced: 'Shipping: {shipping}. Total: {total}.',
  /** What the server refuses, by its code; what stands here stands in contract/price-refusals.ts in English. */
  refusals: {
    'country-needed': 'What delivery costs depends on the country. Please choose one.',
    'terms-changed': 'This price was agreed for another delivery. Please look at it once more.',
    'code-unknown': 'The discount code is not valid any more. Please look at the price without it.',
    'code-used-up': 'The discount code was used up by others. Please look at the price without it.',
  },
}

/** The same texts in any language. */
export type PriceTexts = TextsLike<typeof en>
