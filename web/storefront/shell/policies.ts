import type { ShopFacts } from '#contract/public-pages.ts'

/** What a footer entry leads to: an address of the owner's, or a default text of ours. */
export type FooterEntry = {
  id: string
  title: string
  address: string | null
  paragraphs: string[]
}

export function footerEntries({ name, email, policies }: ShopFacts): FooterEntry[] {
  const shop = name ?? 'this shop'
  const theShop = name ?? 'This shop'
  const reach = email ? `Write to ${email}.` : 'Write to the shop where you found this link.'
  return [
    {
      id: 'refund-policy',
      title: 'Refund policy',
      address: policies.refund,
      paragraphs: [
        `If something is wrong with your order, ${shop} wants to know. ${reach}`,
        'Please name your order number; it is in the confirmation e-mail and on the page after your purchase. Refunds go back to the card that was used. Your rights by law stay as they are.',
      ],
    },
    {
      id: 'shipping-policy',
      title: 'Shipping policy',
      address: policies.shipping,
      paragraphs: [
        `${theShop} sends your order by Standard Shipping to the address that you enter here. Shipping is free.`,
        `Questions about your delivery? ${reach}`,
      ],
    },
    {
      id: 'privacy-policy',
      title: 'Privacy policy',
      address: policies.privacy,
      paragraphs: [
        `${theShop} uses what you enter here to process your order, to deliver it and to write to you about it. News is only sent if you ask for it.`,
        'Your card details go straight to SumUp, the payment provider. The shop neither sees nor keeps them. If you choose to save your information, it stays on this device.',
        `To see, correct or delete what is kept about you: ${reach}`,
      ],
    },
    {
      id: 'terms-of-service',
      title: 'Terms of service',
      address: policies.terms,
      paragraphs: [
        `By paying you order the product shown here from ${shop} at the total shown here. The contract is made when the payment is confirmed; you receive an e-mail that says so.`,
        `Questions? ${reach}`,
      ],
    },
    {
      id: 'contact-shop',
      title: 'Contact',
      address: email && `mailto:${email}`,
      paragraphs: [`You buy from ${shop}. ${reach}`],
    },
  ]
}
