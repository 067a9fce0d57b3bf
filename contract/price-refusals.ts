/** Why a price cannot be agreed on: where it goes, or the code in the link. A part of refusals.ts. */
export const priceRefusals = {
  /** With `visitorCountry`, where the visitor seems to be. */
  'country-needed': {
    status: 409,
    text: 'What delivery costs depends on the country. Please choose one.',
  },
  /** Where it goes, or the bill; or that it is fetched. */
  'not-delivered': {
    status: 400,
    text: 'The shop does not offer this country, or this pickup place. Please choose again.',
  },
  'terms-changed': {
    status: 409,
    text: 'This price was agreed for another delivery. Please look at it once more.',
  },
  'code-unknown': {
    status: 409,
    text: 'The discount code is not valid any more. Please look at the price without it.',
  },
  'code-used-up': {
    status: 409,
    text: 'The discount code was used up by others. Please look at the price without it.',
  },
} as const
