import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buyerMailKinds, mailSentences, maxOpeningLength } from '#contract/mails.ts'
import { defaultSettings } from '#contract/shop-settings.ts'
import { apiRoutes } from '#contract/paths.ts'
import { readMailSettings } from '#server/mail/compose.ts'
import { composeMail } from '#server/mail/messages.ts'
import type { PaidOrder } from '#server/orders/paid-order.ts'
import { addOrder } from '#server/testing/mails.ts'
import { openDesk } from '#server/testing/settings-desk.ts'

const desk = await openDesk()
const order = await addOrder(desk.db)
const hostile = 'Thank <b>you</b> & "see" you <script>alert(1)</script>'
const escaped = hostile.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** The confirmation as the settings are now. */
function confirm(change: Partial<PaidOrder> = {}) {
  const { config, secret } = desk.shop
  const settings = readMailSettings(config, { localOrigin: 'http://127.0.0.1', secret })
  const mail = { id: order.id, kind: 'confirmation' }
  const message = composeMail(mail, { ...order, ...change }, settings)
  assert.ok(message)
  return message
}

const preview = (values: Record<string, string>) =>
  desk.app.inject({
    url: `${apiRoutes.mailPreview}?${new URLSearchParams(values)}`,
    headers: desk.headers,
  })

test('the owner’s sentence opens the mail, escaped, and what happened is said below it', async () => {
  const before = confirm()
  const saved = await desk.change('texts', { confirmation: hostile })
  assert.equal(saved.statusCode, 200, saved.body)
  assert.deepEqual((await desk.read()).values.texts, {
    ...defaultSettings.texts,
    confirmation: hostile,
  })
  const message = confirm()
  assert.ok(message.text.includes(`Thank you!\n${hostile}\n${mailSentences.confirmation}\n`))
  assert.match(
    message.html.replaceAll('\n', ' '),
    /<bdi>Thank &#60;b&#62;.*<\/bdi><\/p>\s*<p[^>]*>Your order has been confirmed and paid\.</,
  )
  assert.doesNotMatch(message.html, /<b>|<script/)
  await desk.change('texts', { confirmation: '' })
  assert.deepEqual(confirm(), before)
})

test('a confirmation of an order whose money went back has no words about a purchase', async () => {
  await desk.change('texts', { confirmation: 'We are packing it right now.' })
  assert.match(confirm().text, /We are packing/)
  assert.doesNotMatch(confirm({ refundedAmount: order.amount }).text, /We are packing/)
  await desk.change('texts', { confirmation: null })
})

test('every mail to buyers is shown with a sentence that is not saved yet', async () => {
  for (const kind of buyerMailKinds) {
    const answer = await preview({ kind, opening: hostile })
    assert.equal(answer.statusCode, 200, answer.body)
    assert.ok(answer.body.includes(`<bdi>${escaped}</bdi>`), kind)
    const ours =
      kind === 'payment-returned' || kind === 'refunded' ? '24.00 went back' : mailSentences[kind]
    assert.ok(answer.body.includes(ours), kind)
    assert.match(String(answer.headers['content-security-policy']), /default-src 'none'.*sandbox/)
    assert.equal(answer.headers['x-frame-options'], 'SAMEORIGIN')
    assert.ok(!(await preview({ kind })).body.includes('<bdi>Thank'))
  }
  assert.deepEqual((await desk.read()).values.texts, defaultSettings.texts)
  for (const [look, query] of [
    ['light', '@media not all'],
    ['dark', '@media all'],
  ] as const)
    assert.ok((await preview({ kind: 'shipped', look })).body.includes(`${query}{.paper{`), look)
})

test('a sentence is one line of at most 300 characters, and turns no text around', async () => {
  for (const wrong of ['a'.repeat(maxOpeningLength + 1), 'one\ntwo', 'a\u0000b', 7]) {
    const refused = await desk.put('texts', { ...defaultSettings.texts, shipped: wrong })
    assert.equal(refused.statusCode, 400, String(wrong))
  }
  assert.equal((await preview({ kind: 'shipped', opening: 'one\ntwo' })).statusCode, 400)
  assert.equal((await preview({ kind: 'other' })).statusCode, 400)
  await desk.change('texts', { shipped: ' Thank\u202Eyou ' })
  assert.equal((await desk.read()).values.texts.shipped, 'Thankyou')
  const some = await desk.put('texts', { shipped: 'Hello' })
  assert.deepEqual(some.json().values.texts, { ...defaultSettings.texts, shipped: 'Hello' })
})

test('a mail is shown in the language of the setting, or in a chosen one', async () => {
  const shown = async (values: Record<string, string> = {}) => {
    const { body } = await preview({ kind: 'shipped', opening: 'Enjoy!', ...values })
    assert.ok(body.includes('<bdi>Enjoy!</bdi>'))
    return /<html lang="(\w+)">/.exec(body)?.[1]
  }
  assert.equal(await shown({ language: 'it' }), 'it')
  for (const [ofBuyers, language] of [
    ['de', 'de'],
    ['browser', 'en'],
  ] as const) {
    const saved = await desk.change('language', { ofBuyers })
    assert.equal(saved.statusCode, 200, saved.body)
    assert.equal(await shown(), language)
  }
  assert.equal((await preview({ kind: 'shipped', language: 'xx' })).statusCode, 400)
})
