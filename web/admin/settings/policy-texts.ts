import type { AllSettings } from '#contract/shop-settings.ts'
import { withdrawal } from '#contract/texts/pages/en.ts'
import { withdrawLabel } from '#contract/withdrawals.ts'
import { writeWithdrawalPolicy } from '#contract/withdrawal-text.ts'

export type PolicyName = Exclude<keyof AllSettings['policies'], 'withdrawalFor'>

/** Texts to start from. They state what the shop does by itself; the rest is the owner's to fill in. */
export function draftPolicy(
  policy: PolicyName,
  {
    shop: { name, email, postalAddress },
    delivery,
    mail,
  }: Pick<AllSettings, 'shop' | 'delivery' | 'mail'>,
): string {
  const shop = name ?? '[name of your shop]'
  const contact = email ?? '[your email address]'
  const address = postalAddress?.replaceAll('\n', ', ') ?? '[your postal address]'
  const sendsMails = mail.smtpHost !== null
  return drafts[policy]({ shop, contact, address, delivery, sendsMails }).join('\n\n')
}

type DraftFacts = {
  shop: string
  contact: string
  address: string
  delivery: AllSettings['delivery']
  sendsMails: boolean
}

const drafts: Record<PolicyName, (facts: DraftFacts) => string[]> = {
  refund: ({ shop, contact, address }) => [
    `You can withdraw from your purchase within 14 days after the goods have arrived, without giving a reason. Write to ${contact} with your order number.`,
    `Send the goods back to ${shop}, ${address}, within 14 days after you have told us. You pay for the return parcel; if the goods are damaged or wrong, we do.`,
    'We refund what you paid, including standard shipping, within 14 days after we heard of your withdrawal, by the means of payment that you used. We may wait until the goods are back or you have shown that you sent them.',
    'Goods made to your order cannot be returned. If something is damaged or missing, your rights by law stay as they are.',
  ],
  shipping: ({ shop, contact, delivery: { countries, prices, pickup } }) => {
    const place = pickup && `${pickup.name}, ${pickup.address}, ${pickup.city}`
    const ready = 'as soon as we write to you that it is ready'
    if (countries.length === 0)
      return [
        `You pick your order up at ${place}, ${ready}.`,
        `Questions? Write to ${contact} with your order number.`,
      ]
    return [
      `${shop} sends your order by Standard Shipping to the address that you entered. ${prices.length > 0 ? 'What shipping costs is shown before you pay.' : 'Shipping is free.'}`,
      ...(place ? [`Or you pick it up at ${place}, ${ready}.`] : []),
      'We hand over parcels within [2] working days after your payment. Delivery usually takes [3 to 5] working days; abroad it can take longer.',
      `If a parcel has not arrived after [14] days, write to ${contact} with your order number. We look for it, send it again or refund you.`,
    ]
  },
  privacy: ({ shop, contact, address }) => [
    `Responsible for your data: ${shop}, ${address}, ${contact}.`,
    'We use your name, addresses, email address and phone number to process and deliver your order and to write to you about it. This is needed for the contract with you. We send news only if you asked for it; you can object at any time.',
    'Your card details go straight to SumUp, the payment provider, which is responsible for them. We neither see nor keep them. Parcel services get your name and address. We pass on nothing else.',
    'We count visits with a shortened address, the browser and the country, to see how the shop is doing. One cookie recognises your browser for your order; there are no advertising cookies.',
    'We keep orders for as long as tax law requires. What people typed who did not buy is deleted after some weeks.',
    `You can ask what is stored about you, have it corrected or deleted, and complain to a data protection authority. Write to ${contact}.`,
  ],
  terms: ({ shop, contact, address, sendsMails }) => [
    `You buy from ${shop}, ${address}.`,
    `By paying you order the product shown at the total shown. The contract is made when the payment is confirmed${sendsMails ? '; you receive an email that says so' : ''}.`,
    'Prices are final prices and include VAT where it applies. You pay by card through SumUp. The goods are ours until they are paid.',
    'If goods have faults, you have the rights that the law gives you. You can withdraw from the purchase as our refund policy says.',
    `Questions and complaints: ${contact}.`,
  ],
  withdrawal: ({ shop, contact, address, sendsMails }) =>
    writeWithdrawalPolicy(
      { name: shop, email: contact, postalAddress: address, sendsMails },
      { ...withdrawal, here: withdrawLabel },
    ),
}
