import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOrderKey } from '#server/orders/order-link.ts'
import type { PaidOrder } from '#server/orders/paid-order.ts'
import { openTestDatabase } from '#server/testing/test-database.ts'
import type { MailSettings } from './compose.ts'
import { composeMail } from './messages.ts'
import { smtpTransport, type MailMessage } from './transport.ts'
import { openMailServer } from '#server/testing/mail-server.ts'
import { addOrder, anna, mailSettings, mug } from '#server/testing/mails.ts'

const { db } = await openTestDatabase()
const confirmation = { id: '6a1e7c9a-6f0e-4f57-9d0f-2f0d5a9f3b11', kind: 'confirmation' }
const newSale = { ...confirmation, kind: 'new-sale' }

async function confirm(change: Parameters<typeof addOrder>[1] = {}): Promise<MailMessage> {
  return compose(confirmation, await addOrder(db, change))
}

function compose(
  mail: typeof confirmation,
  order: PaidOrder,
  settings: MailSettings = mailSettings,
): MailMessage {
  const message = composeMail(mail, order, settings)
  assert.ok(message)
  return message
}

test('the link in the confirmation is whole and opens the order where buyers’ pages are', async () => {
  const order = await addOrder(db)
  const { text, html } = compose(confirmation, order)
  const [link = ''] = /https:\/\/pay\S+/.exec(text) ?? []
  const { origin, pathname, searchParams } = new URL(link)
  assert.equal(origin, mailSettings.buyerOrigin)
  assert.equal(pathname, `/thank-you/${order.id}`)
  assert.ok(isOrderKey(searchParams.get('key'), order, mailSettings.secret))
  assert.ok(html.includes(`href="${link}"`))
})

test('our pictures have absolute URLs, others stay as they are, and what is no picture is left out', async () => {
  const ours = await confirm()
  assert.ok(ours.html.includes(`src="${mailSettings.origin}${mug.imageUrl}?size=thumb"`))
  assert.ok(ours.html.includes(`src="${mug.headerLogoUrl}" alt="The Mug Shop"`))
  for (const [imageUrl, headerLogoUrl] of [
    ['javascript:alert(1)', '//etc/logo'],
    ['data:image/png;base64,AAAA', 'logo.png'],
  ] as const) {
    const odd = await confirm({ product: { ...mug, id: 'x', imageUrl, headerLogoUrl } })
    assert.doesNotMatch(odd.html, /<img|javascript:|data:|logo\.png/)
    assert.match(odd.html, /<span[^>]*>The Mug Shop<\/span>/)
  }
})

test('mails load nothing but those pictures', async () => {
  const { html } = await confirm()
  const asked = [...html.matchAll(/(?:src|background|url\()\s*=?\s*["']?(https?:[^"')]+)/g)]
  assert.deepEqual(
    asked.map(([, url]) => url),
    [mug.headerLogoUrl, `${mailSettings.origin}${mug.imageUrl}?size=thumb`],
  )
  assert.doesNotMatch(html, /<script|<link|@import|@font-face/)
})

test('the billing address is shown only where it differs', async () => {
  assert.doesNotMatch((await confirm({ billingAddress: { ...anna } })).text, /Billing address/)
  const other = { ...anna, address: 'Hafenweg 3', city: 'Hamburg', postcode: '20457' }
  const { text, html } = await confirm({ billingAddress: other })
  assert.match(text, /Billing address\nAnna Müller\nHafenweg 3\nHinterhaus\n20457 Hamburg\nGermany/)
  assert.match(html, /Billing address[\s\S]*Hafenweg 3/)
})

test('addresses are formatted as in their country', async () => {
  const texts: Record<string, RegExp> = {
    'United States': /\nSpringfield, IL 62704\nUnited States\n/,
    'United Kingdom': /\nSpringfield\nIL\n62704\nUnited Kingdom\n/,
    Italy: /\n62704 Springfield IL\nItaly\n/,
  }
  for (const [country, lines] of Object.entries(texts)) {
    const town = { country, city: 'Springfield', state: 'IL', postcode: '62704' }
    assert.match((await confirm({ shippingAddress: { ...anna, ...town } })).text, lines)
  }
})

const hostile = {
  customerName: 'Eve\r\nBcc: all@example.com\r\n\r\n<script>alert(1)</script>',
  customerPhone: '"><img src=x onerror=alert(2)>',
  shippingAddress: {
    ...anna,
    firstName: `"'><script>alert(3)</script>`,
    lastName: 'מרים\u202Eevil 👩‍🚀',
    address: 'Road 1\r\nSubject: hacked\nX-Evil: yes',
    city: '</td></table></body>',
  },
  product: { ...mug, id: 'x', name: 'Mug\r\nBcc: more@example.com <b>"fine"</b> & \'good\' ☕️' },
}

test('the mail about a new sale opens its order in the back-office', async () => {
  const order = await addOrder(db)
  const { text, html } = compose(newSale, order)
  const url = `${mailSettings.origin}/orders?order=${order.id}`
  assert.ok(text.includes(`Open order:\n${url}`), text)
  assert.ok(html.includes(`href="${url}"`), html)
})

test('hostile names add no header, no recipient and no markup', async () => {
  const server = await openMailServer()
  const transport = smtpTransport(server.url)
  const order = await addOrder(db, hostile)
  const settings = { ...mailSettings, shopName: 'Mugs, "Best"\r\nX-Shop: <evil>' }
  for (const mail of [confirmation, newSale])
    await transport.send(compose(mail, order, settings), { ...mail, createdAt: order.createdAt })
  transport.close()
  assert.equal(server.received.length, 2)
  const known = `auto-submitted content-type date from message-id mime-version reply-to subject to x-auto-response-suppress`
  for (const [index, { mail, to }] of server.received.entries()) {
    assert.deepEqual(to, [['anna@example.com', 'owner@mugs.example'][index]])
    assert.equal(
      mail.headers
        .map(({ key }) => key)
        .toSorted()
        .join(' '),
      known,
    )
    assert.equal(mail.from?.address, 'shop@mugs.example')
    const { html = '', text = '' } = mail
    assert.doesNotMatch(
      html,
      /<script|<img src=x|<b>|<\/table><\/body>[\s\S]*<\/html>[\s\S]*<\/html>/,
    )
    assert.ok(html.includes('&#60;script&#62;alert(3)&#60;/script&#62;'))
    assert.ok(html.includes('☕️') && html.includes('👩‍🚀') && html.includes('מרים'))
    assert.ok(!text.includes('\u202E'), 'the text direction is not changed')
    assert.doesNotMatch(text, /^(Bcc|Subject|X-Evil):/m, 'one line stays one line')
  }
  const [toBuyer] = server.received
  assert.equal(toBuyer?.mail.to?.[0]?.name, 'Eve Bcc: all@example.com <script>alert(1)</script>')
})

test('what a person typed is not decoded in a header', async () => {
  const server = await openMailServer()
  const transport = smtpTransport(server.url)
  const customerName = '=?utf-8?q?=E2=80=AEmoc.live=0D=0ABcc:_x?='
  const order = await addOrder(db, {
    customerName,
    product: { ...mug, id: 'x', name: customerName },
  })
  for (const mail of [confirmation, newSale])
    await transport.send(compose(mail, order), { ...mail, createdAt: order.createdAt })
  transport.close()
  const [toBuyer, toOwner] = server.received.map(({ mail }) => mail)
  const shown = '= ?utf-8?q?=E2=80=AEmoc.live=0D=0ABcc:_x?='
  assert.equal(toBuyer?.to?.[0]?.name, shown)
  assert.equal(toOwner?.replyTo?.[0]?.name, shown)
  assert.ok(toOwner?.subject?.startsWith(`New sale: ${shown} for`), toOwner?.subject)
})

test('nothing is sent to an invalid address', async () => {
  for (const customerEmail of ['a@b.example>, c@d.example', 'a@b.example\r\nBcc: c@d', 'nobody']) {
    const order = await addOrder(db, { customerEmail })
    assert.throws(() => composeMail(confirmation, order, mailSettings), {
      message: 'not an address',
    })
  }
})

test('HTML contains everything that the text does', async () => {
  const order = await addOrder(db)
  for (const { text, html } of [compose(confirmation, order), compose(newSale, order)]) {
    const lines = splitText(text)
    assert.ok(lines.length > 15)
    for (const line of lines) assert.ok(readable(html).includes(line), line)
  }
})

function splitText(text: string): string[] {
  const parts = text.split(/\n| {2,}/)
  return parts.map((part) => part.replace(/^- |^1 × |^-+$|:$/g, '')).filter((part) => part !== '')
}

function readable(html: string): string {
  return html
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/<(?!\/?a\b)[^>]*>/g, '|')
    .replaceAll(/<a [^>]*href="(?:mailto:)?([^"]*)"[^>]*>([^<]*)<\/a>/g, '$2 $1')
    .replaceAll(/(\S+@\S+) \1/g, '$1')
}

test('mails of a test order say so and never claim that money was taken or a parcel comes', async () => {
  const order = await addOrder(db, { isTest: true })
  for (const mail of [confirmation, newSale]) {
    const { subject, text, html } = compose(mail, order)
    assert.match(subject, /^\[Test\] /)
    for (const body of [text, html]) {
      assert.match(
        body,
        /This is a test order: no money was taken, and nothing will be delivered\./,
      )
      assert.doesNotMatch(
        body,
        /\bpaid\b|get your order ready|getting it ready|reply to this mail goes/i,
      )
    }
  }
})

test('a mail to the buyer of a test order is addressed to the owner, and names who it was meant for', async () => {
  const order = await addOrder(db, { isTest: true, customerEmail: 'victim@example.com' })
  const redirected = compose(confirmation, order)
  assert.equal(redirected.to.address, mailSettings.shopEmail)
  assert.equal(redirected.replyTo, undefined)
  assert.equal(redirected.isFileOnly, false)
  assert.match(redirected.text, /It was meant for victim@example\.com\./)
  // Nobody to send it to, or nothing to send it with: it stays as it is, and here.
  for (const change of [{ shopEmail: undefined }, { hasMailServer: false }]) {
    const kept = compose(confirmation, order, { ...mailSettings, ...change })
    assert.deepEqual([kept.to.address, kept.isFileOnly], ['victim@example.com', true])
  }
  assert.equal(compose(confirmation, await addOrder(db)).isFileOnly, false)
})

const paidWords =
  /\bpaid\b|being prepared|getting it ready|get your order ready|waits to be shipped/i

test('mails composed after all the money went back call nothing paid or being prepared', async () => {
  const order = await addOrder(db)
  const cases = [
    [{ refundedAmount: '49.00' }, 'Refunded', /€49\.00 went back to your card/],
    [{ chargedBackAmount: '49.00' }, 'Charged back', /Your bank took €49\.00 back/],
    [
      { refundedAmount: '39.00', chargedBackAmount: '10.00' },
      'Refunded and charged back',
      /€39\.00 went back to your card.+Your bank took €10\.00 back/,
    ],
  ] as const
  for (const [returned, label, told] of cases) {
    const toBuyer = compose(confirmation, { ...order, ...returned })
    assert.equal(toBuyer.subject, `Your order from The Mug Shop was ${label.toLowerCase()}`)
    assert.match(toBuyer.text, told)
    assert.equal(/your card/.test(toBuyer.text), label !== 'Charged back')
    const toOwner = compose(newSale, { ...order, ...returned })
    assert.ok(toOwner.subject.startsWith(label), toOwner.subject)
    assert.match(toOwner.text, /Do not ship it/)
    for (const { subject, text, html } of [toBuyer, toOwner])
      for (const part of [subject, text, html]) assert.doesNotMatch(part, paidWords)
  }
})

test('mails about money that went back of a test order say that none has moved', async () => {
  const order = { ...(await addOrder(db, { isTest: true })), refundedAmount: '49.00' }
  const refund = { ...confirmation, kind: 'refunded-1', amount: '49.00' }
  for (const mail of [confirmation, refund]) {
    const { text } = compose(mail, order)
    assert.match(text, /€49\.00 of this test order count as paid back\. No money has moved\./)
    assert.doesNotMatch(text, /your card/)
  }
})

test('an order without a payment that SumUp has confirmed is not called paid', async () => {
  const order = { ...(await addOrder(db)), isPaid: false }
  const toBuyer = compose(confirmation, order)
  assert.equal(toBuyer.subject, 'Your order from The Mug Shop is confirmed')
  const toOwner = compose(newSale, order)
  assert.match(toOwner.text, /SumUp has not confirmed its payment/)
  assert.match(toOwner.text, /Before you ship it, look for the payment/)
  for (const { subject, text, html } of [toBuyer, toOwner])
    for (const part of [subject, text, html]) assert.doesNotMatch(part, /\bpaid\b/i)
})

test('after a part of the money went back mails name the part, and the order stays paid', async () => {
  const order = { ...(await addOrder(db)), refundedAmount: '10.00', chargedBackAmount: '5.00' }
  const toBuyer = compose(confirmation, order)
  assert.equal(toBuyer.subject, 'Your order from The Mug Shop is confirmed')
  assert.match(toBuyer.text, /confirmed and paid/)
  for (const { text } of [toBuyer, compose(newSale, order)]) {
    assert.match(text, /Refunded +€10\.00/)
    assert.match(text, /Charged back +€5\.00/)
  }
})

test('mails name the value that was chosen, with its picture', async () => {
  const choice = { id: 'm', name: 'Size', value: 'M' }
  const order = await addOrder(db, {
    product: { ...mug, id: 'x', imageUrl: 'https://pictures.example/medium.png', choice },
  })
  for (const mail of [confirmation, newSale]) {
    const { text, html } = compose(mail, order)
    assert.match(text, new RegExp(`${mug.name} · M`))
    assert.ok(html.includes('src="https://pictures.example/medium.png"'))
  }
})

test('confirmation and announcement have what the buyer wrote, line by line, under its label', async () => {
  const product = { ...mug, id: 'x', noteLabel: 'Engraving' }
  const order = await addOrder(db, { product, buyerNote: 'For <Anna>\nwith love' })
  for (const mail of [confirmation, newSale]) {
    const { text, html } = compose(mail, order)
    assert.match(text, /Engraving\nFor <Anna>\nwith love\n/)
    assert.ok(html.includes('For &#60;Anna&#62;'))
  }
  assert.doesNotMatch((await confirm({ product })).text, /Engraving/, 'nothing was written')
})
