import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { languageCodes, type Language } from '#contract/languages.ts'
import { saleMailKinds } from '#contract/mails.ts'
import { mailTextsOf, pageTextsOf, withdrawalTextsOf } from '#contract/texts/all.ts'
import { payments } from '#server/db/payment-schema.ts'
import { recordWithdrawal } from '#server/orders/withdrawals.ts'
import { addMail, addOrder, addSaleMail, anna, mailSettings, mug } from '#server/testing/mails.ts'
import { openTestDatabase } from '#server/testing/test-database.ts'
import type { MailSettings } from './compose.ts'
import { composeMail } from './messages.ts'
import { sendDueMails } from './outbox.ts'
import type { MailMessage } from './transport.ts'

const { db } = await openTestDatabase()
const id = '6a1e7c9a-6f0e-4f57-9d0f-2f0d5a9f3b11'
const inBrowsersLanguage: MailSettings = { ...mailSettings, buyersLanguage: 'browser' }
const shipped = {
  status: 'shipped',
  shipment: { carrier: 'dhl', trackingNumber: '4711', trackingUrl: 'https://dhl.example/4711' },
} as const

/** Sends what is due, and returns it. */
async function send(settings: MailSettings): Promise<MailMessage[]> {
  const sent: MailMessage[] = []
  const transport = {
    send: async (message: MailMessage) => void sent.push(message),
    close: () => {},
  }
  await sendDueMails({ db, transport, settings, log: pino({ level: 'silent' }) })
  return sent
}

async function compose(
  kind: string,
  change: Parameters<typeof addOrder>[1] & { refundedAmount?: string; chargedBackAmount?: string },
  settings = inBrowsersLanguage,
): Promise<MailMessage> {
  const { refundedAmount, chargedBackAmount, ...ofOrder } = change
  const order = {
    ...(await addOrder(db, ofOrder)),
    ...(refundedAmount && { refundedAmount }),
    ...(chargedBackAmount && { chargedBackAmount }),
  }
  const message = composeMail({ id, kind, amount: '10.00' }, order, settings)
  assert.ok(message)
  return message
}

const statement = { name: 'Anna', email: 'anna@example.com' }
const live = { addressKey: 'a', isShared: false, isTestMode: false, timeZone: 'UTC' }

/** Each kind of mail to buyers, in one language. */
async function writeAll(language: Language, isTest: boolean): Promise<MailMessage[]> {
  const settings = { ...inBrowsersLanguage, postalAddress: 'Kai 1\nHamburg', vatNumber: 'DE1' }
  const product = { ...mug, id, vatRate: '5.5' }
  const order = { language, isTest, product, billingAddress: { ...anna, city: 'Bonn' } }
  const written = await Promise.all([
    compose('confirmation', order, settings),
    compose('confirmation', { ...order, refundedAmount: '49.00' }, settings),
    compose('confirmation', { ...order, chargedBackAmount: '49.00' }, settings),
    compose('confirmation', { ...order, refundedAmount: '9.00', chargedBackAmount: '40.00' }),
    compose('shipped', { ...order, ...shipped }, settings),
    compose('refunded-1', { ...order, refundedAmount: '10.00' }, settings),
  ])
  const details = {
    customerEmail: 'anna@example.com',
    shippingAddress: anna,
    acceptsNews: false,
    language,
  }
  for (const kind of saleMailKinds) {
    const { saleId } = await addSaleMail(db, kind, { isTest, details })
    await db.insert(payments).values({
      merchantCode: 'M1',
      transactionId: saleId,
      saleId,
      status: 'successful',
      amount: '49.00',
      currency: 'EUR',
      refunded: '40.00',
      chargedBack: '9.00',
    })
  }
  const { number } = await addOrder(db, { isTest })
  await recordWithdrawal(db, { ...statement, orderNumber: `#${number}`, language }, live)
  const sent = await send(settings)
  assert.equal(sent.length, saleMailKinds.length + 1)
  return [...written, ...sent]
}

/** The parts of texts between their placeholders. */
function listFragments(texts: unknown): string[] {
  if (typeof texts === 'string') return texts.split(/\{\w+\}/)
  return Object.values(texts as object).flatMap(listFragments)
}

/** All that mails say, in pieces long enough to be no word that two languages share. */
const { returned, withdrawal } = pageTextsOf.en
const english = listFragments([mailTextsOf.en, returned, withdrawal, withdrawalTextsOf.en]).filter(
  (fragment) => fragment.length > 12,
)

for (const language of languageCodes.filter((code) => code !== 'en'))
  test(`every mail is written in one language, with every place filled: ${language}`, async () => {
    for (const isTest of [false, true])
      for (const { subject, text, html } of await writeAll(language, isTest)) {
        assert.match(subject, /\p{L}{4}/u)
        assert.ok(html.includes(`<html lang="${language}">`), subject)
        for (const part of [subject, text, html]) {
          assert.doesNotMatch(part, /\{\w+\}|undefined/)
          const left = english.filter((fragment) => part.includes(fragment))
          assert.deepEqual(left, [], subject)
        }
      }
  })

test('amounts, countries and rates are written as in the language of the order', async () => {
  const product = { ...mug, id, vatRate: '5.5' }
  const shippingAddress = { ...anna, country: 'Germany' }
  const order = { product, shippingAddress, amount: '1234.50' }
  const expected: Record<Language, string[]> = {
    en: ['€1234.50', 'Germany', '5.5%'],
    de: ['1.234,50\u00a0€', 'Deutschland', '5,5\u00a0%'],
    fr: ['1\u202f234,50\u00a0€', 'Allemagne', '5,5\u00a0%'],
    it: ['1234,50\u00a0€', 'Germania', '5,5%'],
    nl: ['€\u00a01.234,50', 'Duitsland', '5,5%'],
  }
  for (const language of languageCodes) {
    const { text, html } = await compose('confirmation', { ...order, language })
    for (const part of expected[language]) {
      assert.ok(text.includes(part), `${language}: ${part}\n${text}`)
      assert.ok(html.includes(part), `${language}: ${part}`)
    }
  }
})

test('a mail keeps the language of its order; without one it follows the setting', async () => {
  const subjectOf = async (language: Language | null, buyersLanguage: Language | 'browser') =>
    (await compose('shipped', { ...shipped, language }, { ...mailSettings, buyersLanguage }))
      .subject
  assert.equal(await subjectOf('de', 'browser'), 'Ihre Bestellung bei The Mug Shop ist unterwegs')
  assert.equal(await subjectOf('de', 'fr'), 'Ihre Bestellung bei The Mug Shop ist unterwegs')
  assert.equal(await subjectOf(null, 'fr'), 'Votre commande chez The Mug Shop est en chemin')
  for (const setting of ['browser', 'en'] as const)
    assert.equal(await subjectOf(null, setting), 'Your order from The Mug Shop is on its way')
})

test('the outbox writes in the language that the order has kept', async () => {
  await addMail(db, { language: 'nl' })
  await addMail(db, { language: 'nl', kind: 'new-sale' })
  const [toBuyer, toOwner] = (await send(inBrowsersLanguage)).toSorted((one, other) =>
    one.to.address.localeCompare(other.to.address),
  )
  assert.equal(toBuyer?.subject, 'Je bestelling bij The Mug Shop is bevestigd')
  assert.equal(toOwner?.subject, 'New sale: Stoneware mug for €49.00')
  assert.match(toOwner.text, /\nGermany\n/)
})

test('a withdrawal is acknowledged as it was stated, else as the order, else as the setting', async () => {
  // Another inbox than that of the tests before: each has three acknowledgements an hour.
  const customerEmail = 'berta@example.com'
  const { number } = await addOrder(db, { language: 'de', customerEmail })
  const cases = [
    [{ orderNumber: `#${number}`, language: 'fr' }, 'Nous avons reçu votre rétractation'],
    [{ orderNumber: `#${number}` }, 'Wir haben Ihren Widerruf erhalten'],
    [{ orderNumber: '#999999' }, 'We hebben je herroeping ontvangen'],
  ] as const
  const settings: MailSettings = { ...mailSettings, buyersLanguage: 'nl' }
  for (const [index, [stated, subject]] of cases.entries()) {
    const email = index === 2 ? 'otto@example.com' : customerEmail
    await recordWithdrawal(db, { ...statement, ...stated, email }, live)
    const [message] = await send(settings)
    assert.ok(message?.subject.startsWith(subject), message?.subject)
  }
})

test('the owner’s sentence stays as it was written, and what was typed is escaped and never filled in', async () => {
  const settings = {
    ...inBrowsersLanguage,
    shopName: 'Mugs <b>{product}</b>',
    openings: { ...mailSettings.openings, confirmation: 'Enjoy <i>it</i>, {shop}!' },
  }
  for (const language of languageCodes) {
    const { subject, text, html } = await compose(
      'confirmation',
      {
        language,
        product: { ...mug, id, name: '{price} <script>alert(1)</script>' },
        shippingAddress: { ...anna, lastName: '<img src=x>{days}', city: '{count}' },
      },
      settings,
    )
    assert.ok(subject.includes('Mugs <b>{product}</b>'), subject)
    assert.ok(text.includes('\nEnjoy <i>it</i>, {shop}!\n'), text)
    assert.ok(text.includes('{price} <script>alert(1)</script>'), text)
    assert.match(text, /<img src=x>\{days\}\n[^]*\{count\}/)
    assert.doesNotMatch(html, /<script|<img src=x|<b>|<i>/)
  }
})

test('no mail speaks of a card to who paid in another way, in any language', async () => {
  const cards = /\b(card|carte|carta)\b|karte|kaart/i
  for (const language of languageCodes) {
    const order = { language, paymentMethod: 'paypal' }
    const returned = { refundedAmount: '30.00', chargedBackAmount: '19.00' }
    const messages = [
      await compose('confirmation', order),
      await compose('refunded-1', order),
      await compose('confirmation', { ...order, ...returned }),
    ]
    for (const { text } of messages) assert.doesNotMatch(text, cards)
    for (const { text } of messages.slice(0, 2)) assert.match(text, /PayPal/)
    for (const kind of saleMailKinds) {
      const details = { customerEmail: 'anna@example.com', shippingAddress: anna, language }
      const { saleId } = await addSaleMail(db, kind, {
        details: { ...details, acceptsNews: false },
      })
      await db.insert(payments).values({
        saleId,
        merchantCode: 'M1',
        transactionId: saleId,
        status: 'successful',
        amount: '49.00',
        currency: 'EUR',
        refunded: '30.00',
        chargedBack: '19.00',
        method: 'paypal',
      })
    }
    const sent = await send(inBrowsersLanguage)
    assert.equal(sent.length, saleMailKinds.length)
    for (const { subject, text } of sent) assert.doesNotMatch(`${subject} ${text}`, cards)
  }
})
