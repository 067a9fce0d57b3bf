import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOrderKey } from '#server/orders/order-link.ts'
import { openTestDatabase } from '#server/testing/test-database.ts'
import { maybeConfirmation } from './compose-confirmation.ts'
import { maybeNewSale } from './compose-new-sale.ts'
import type { Letter } from './letter.ts'
import { smtpPost } from './smtp-post.ts'
import { openMailServer } from './test-mail-server.ts'
import { addOrder, anna, letterhead, mug } from './test-orders.ts'

const { db } = await openTestDatabase()
const mailId = '6a1e7c9a-6f0e-4f57-9d0f-2f0d5a9f3b11'

async function confirm(change: Parameters<typeof addOrder>[1] = {}, head = letterhead) {
  const letter = maybeConfirmation(mailId, await addOrder(db, change), head)
  assert.ok(letter)
  return letter
}

test('the link in the confirmation is whole and opens the order', async () => {
  const order = await addOrder(db)
  const letter = maybeConfirmation(mailId, order, letterhead)
  const [link = ''] = /https:\/\/shop\S+/.exec(letter?.text ?? '') ?? []
  const { origin, pathname, searchParams } = new URL(link)
  assert.equal(origin, letterhead.origin)
  assert.equal(pathname, `/thank-you/${order.id}`)
  assert.ok(isOrderKey(searchParams.get('key'), order.id, letterhead.secret))
  assert.ok(letter?.html.includes(`href="${link}"`))
})

test('our pictures are shown by their whole address, others as they are, none that is no picture', async () => {
  const ours = await confirm()
  assert.ok(ours.html.includes(`src="${letterhead.origin}${mug.imageUrl}?size=thumb"`))
  assert.ok(ours.html.includes(`src="${mug.headerLogoUrl}" alt="The Mug Shop"`))
  const paths = { imageUrl: '/objects/mug.png', headerLogoUrl: '/logo.png?v=2' }
  const { html } = await confirm({ product: { ...mug, id: 'x', ...paths } })
  for (const path of Object.values(paths))
    assert.ok(html.includes(`src="${letterhead.origin}${path}"`), path)
  const product = { ...mug, id: 'x', imageUrl: 'javascript:alert(1)', headerLogoUrl: '//etc/logo' }
  const odd = await confirm({ product })
  assert.doesNotMatch(odd.html, /<img|javascript:/)
  assert.match(odd.html, /<span[^>]*>The Mug Shop<\/span>/)
})

test('letters ask for nothing from elsewhere but those pictures', async () => {
  const { html } = await confirm()
  const asked = [...html.matchAll(/(?:src|background|url\()\s*=?\s*["']?(https?:[^"')]+)/g)]
  assert.deepEqual(
    asked.map(([, url]) => url),
    [mug.headerLogoUrl, `${letterhead.origin}${mug.imageUrl}?size=thumb`],
  )
  assert.doesNotMatch(html, /<script|<link|@import|@font-face/)
})

test('the billing address is named only where it is another one', async () => {
  assert.doesNotMatch((await confirm({ billingAddress: { ...anna } })).text, /Billing address/)
  const other = { ...anna, address: 'Hafenweg 3', city: 'Hamburg', postcode: '20457' }
  const { text, html } = await confirm({ billingAddress: other })
  assert.match(text, /Billing address\nAnna Müller\nHafenweg 3\nHinterhaus\n20457 Hamburg\nGermany/)
  assert.match(html, /Billing address[\s\S]*Hafenweg 3/)
})

test('addresses are written as parcels in their country have them', async () => {
  const texts: Record<string, RegExp> = {
    'United States': /\nSpringfield, IL 62704\nUnited States\n/,
    'United Kingdom': /\nSpringfield\nIL\n62704\nUnited Kingdom\n/,
    Italy: /\n62704 Springfield\nIL\nItaly\n/,
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

test('hostile names add no header, no recipient and no markup', async () => {
  const server = await openMailServer()
  const post = smtpPost(server.url)
  const order = await addOrder(db, hostile)
  const head = { ...letterhead, shopName: 'Mugs, "Best"\r\nX-Shop: <evil>' }
  const letters = [maybeConfirmation(mailId, order, head), maybeNewSale(mailId, order, head)]
  for (const letter of letters) {
    assert.ok(letter)
    await post.send(letter, { id: mailId, kind: 'any', createdAt: order.createdAt })
  }
  post.close()
  const known = `auto-submitted content-type date from message-id mime-version reply-to subject to x-auto-response-suppress`
  for (const [place, { mail, to }] of server.received.entries()) {
    assert.deepEqual(to, [['anna@example.com', 'owner@mugs.example'][place]])
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
    assert.ok(!text.includes('\u202E'), 'nothing turns the direction of what follows')
    assert.doesNotMatch(text, /^(Bcc|Subject|X-Evil):/m, 'one line stays one line')
  }
  const [toBuyer] = server.received
  assert.equal(toBuyer?.mail.to?.[0]?.name, 'Eve Bcc: all@example.com <script>alert(1)</script>')
})

test('what is no mail address is never written to', async () => {
  for (const customerEmail of ['a@b.example>, c@d.example', 'a@b.example\r\nBcc: c@d', 'nobody']) {
    const order = await addOrder(db, { customerEmail })
    assert.throws(() => maybeConfirmation(mailId, order, letterhead), { message: 'not an address' })
  }
})

test('HTML says what the text says', async () => {
  const order = await addOrder(db)
  const letters = [
    maybeConfirmation(mailId, order, letterhead),
    maybeNewSale(mailId, order, letterhead),
  ]
  for (const letter of letters)
    for (const line of saidIn(letter)) {
      assert.ok(readable(letter?.html ?? '').includes(line), line)
    }
})

function saidIn(letter: Letter | undefined): string[] {
  const apart = (letter?.text ?? '').split(/\n| {2,}/)
  return apart.map((line) => line.replace(/^- |^1 × |^-+$|:$/g, '')).filter((line) => line !== '')
}

function readable(html: string): string {
  return html
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/<(?!\/?a\b)[^>]*>/g, '|')
    .replaceAll(/<a [^>]*href="(?:mailto:)?([^"]*)"[^>]*>([^<]*)<\/a>/g, '$2 $1')
    .replaceAll(/(\S+@\S+) \1/g, '$1')
}
