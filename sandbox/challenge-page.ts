import { toMajor } from './ledger/money.ts'
import type { Checkout, Transaction } from './ledger/records.ts'
import { merchantName } from './show-checkout.ts'

/** No form-action: Chromium would apply it to the way back to the shop as well. */
export const framedPageHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; base-uri 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
}

/** On the way to the bank: posts what the payment handed over, as a merchant's page would. */
export function startPage(address: string, url: string, fields: Record<string, string>): string {
  const [path = ''] = url.split('?')
  const inputs = Object.entries(fields).map(
    ([name, value]) =>
      `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  )
  return layout(
    address,
    'Connecting to your bank',
    `<form method="post" action="${escapeHtml(address + path)}">${inputs.join('')}</form>
    <script src="${escapeHtml(address)}/gateway/ecom/3ds/start.js"></script>`,
  )
}

/** The bank asks the payer. `address` is how their browser reaches us, `parent` the origin of the page that framed it, if one did. */
export function challengePage(
  address: string,
  checkout: Checkout,
  transaction: Transaction,
  parent: string | undefined,
): string {
  const amount = new Intl.NumberFormat('en-GB', {
    style: 'currency',
    currency: checkout.currency,
  }).format(toMajor(checkout.amountMinor, checkout.currency))
  return layout(
    address,
    'Confirm your payment',
    `<p>${escapeHtml(merchantName)} asks for <strong>${escapeHtml(amount)}</strong> from your card
      ending in <strong>${escapeHtml(transaction.lastDigits)}</strong>.</p>
    <form method="post" action="${escapeHtml(address)}/v0.1/checkouts/${checkout.id}/complete_payment">
      <input type="hidden" name="MD" value="${escapeHtml(transaction.challenge ?? '')}">
      <input type="hidden" name="parent" value="${escapeHtml(parent ?? '')}">
      <button name="outcome" value="approve">Approve</button>
      <button name="outcome" value="decline">Decline</button>
      <button name="outcome" value="cancel">Cancel</button>
    </form>
    <p class="note">A test page: no bank is asked and no money moves.</p>`,
  )
}

/** Tells the widget, which then asks for the result itself: the message is no proof of anything. */
export function endPage(
  address: string,
  { id }: Checkout,
  { status }: Transaction,
  parent: string | undefined,
): string {
  const message = JSON.stringify({ type: 'sumup-challenge-ended', checkoutId: id, status })
  return layout(
    address,
    status === 'PENDING' ? 'Your time is up' : 'Thank you',
    `<p>You can go back to the shop.</p>
    <script src="${escapeHtml(address)}/gateway/ecom/3ds/ended.js"
      data-message="${escapeHtml(message)}" data-parent="${escapeHtml(parent ?? '')}"></script>`,
  )
}

function layout(address: string, title: string, content: string): string {
  return `<!doctype html>
<html lang="en-GB">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="stylesheet" href="${escapeHtml(address)}/gateway/ecom/3ds/challenge.css">
  </head>
  <body>
    <main>
    <h1>${title}</h1>
    ${content}
    </main>
  </body>
</html>
`
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
}
