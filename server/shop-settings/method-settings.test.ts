import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultMethods, otherMethodIds, type MethodSettings } from '#contract/payment-methods.ts'
import { checkoutPath, thankYouPath } from '#contract/paths.ts'
import { payments } from '#server/db/payment-schema.ts'
import { orders } from '#server/db/schema.ts'
import { appleFilePath } from '#server/links/apple-pay-file.ts'
import { addMug, createBuyer } from '#server/testing/buyer.ts'
import { payOtherwise } from '#server/testing/sale.ts'
import { openDesk, openNode } from '#server/testing/settings-desk.ts'

const merchantId = 'BCR2DN4TX7Q3RZ2K'

async function openShop() {
  const desk = await openDesk()
  const mug = await addMug(desk)
  const offer = async (values: Partial<MethodSettings>) => {
    const saved = await desk.change('methods', { ...defaultMethods, ...values })
    assert.equal(saved.statusCode, 200, saved.body)
  }
  const openPage = () => desk.app.inject(checkoutPath(mug))
  const readPage = async () => {
    const json = /<script type="application\/json"[^>]*>(.*?)<\/script>/.exec(
      (await openPage()).body,
    )
    return JSON.parse(json?.[1] ?? '')
  }
  return { ...desk, mug, offer, openPage, readPage }
}

test('without the owner’s word there are cards only, and the page knows of nothing else', async () => {
  const shop = await openShop()
  assert.deepEqual((await shop.read()).values.methods, defaultMethods)
  const before = await shop.openPage()
  assert.doesNotMatch(before.body, /otherMethods|googlePay"|apple(?!-touch-icon)|paypal/i)
  assert.match(before.body, /Refunds go back to the card that was used\./)
  assert.equal((await shop.app.inject(appleFilePath)).statusCode, 404)
  await shop.offer({ otherMethods: ['paypal'] })
  assert.match((await shop.openPage()).body, /Refunds go back the way you paid\./)
  await shop.offer(defaultMethods)
  const plain = (body: string) => body.replaceAll(/nonce="[^"]+"/g, '')
  assert.equal(plain((await shop.openPage()).body), plain(before.body))
})

test('the page is told what the owner chose, in our order, and what Google needs', async () => {
  const shop = await openShop()
  await shop.offer({ otherMethods: ['ideal', 'google_pay', 'paypal', 'ideal'] })
  const without = await shop.readPage()
  assert.deepEqual(without.otherMethods, ['paypal', 'ideal'], 'Google Pay needs its merchant id')
  assert.equal(without.googlePay, undefined)
  await shop.offer({ otherMethods: otherMethodIds, googlePayMerchantId: ` ${merchantId} ` })
  const { otherMethods, googlePay } = await shop.readPage()
  assert.deepEqual(otherMethods, otherMethodIds)
  assert.deepEqual(googlePay, { merchantId, merchantName: 'Mug' })
  await shop.change('shop', { name: 'Harbour & Co' })
  assert.equal((await shop.readPage()).googlePay.merchantName, 'Harbour & Co')
  const { config } = await openNode(shop)
  assert.deepEqual(config.methods.otherMethods, otherMethodIds, 'other nodes follow')
})

test('what is no method, no merchant id or no file of Apple’s is refused', async () => {
  const shop = await openShop()
  for (const values of [
    { otherMethods: ['cheque'] },
    { otherMethods: ['constructor'] },
    { otherMethods: 'paypal' },
    { googlePayMerchantId: 'BCR 2DN' },
    { googlePayMerchantId: 'a'.repeat(31) },
    { applePayFile: 'a'.repeat(20_001) },
    { applePayFile: 'bytes \u0000' },
    { applePayFile: 'größer' },
  ]) {
    const refused = await shop.put('methods', { ...defaultMethods, ...values })
    assert.equal(refused.statusCode, 400, JSON.stringify(values).slice(0, 100))
  }
})

test('Apple’s file is served as it was entered, as plain text and without a login', async () => {
  const shop = await openShop()
  const applePayFile = `7B2270737049${'A0'.repeat(4_500)}\n<script>alert(1)</script>`
  await shop.offer({ applePayFile })
  const { statusCode, headers, body } = await shop.app.inject(appleFilePath)
  assert.equal(statusCode, 200)
  assert.equal(body, applePayFile)
  assert.equal(headers['content-type'], 'text/plain; charset=utf-8')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.match(String(headers['content-security-policy']), /^default-src 'none'/)
  await shop.offer({})
  const missing = await shop.app.inject(appleFilePath)
  assert.equal(missing.statusCode, 404)
  assert.match(missing.body, /Page Not Found/)
})

test('a wallet may load what it needs where it is on, and nothing more is allowed', async () => {
  const shop = await openShop()
  shop.shop.payments.sandboxUrl = undefined
  const readPolicy = async () => {
    const { headers } = await shop.openPage()
    const directives = String(headers['content-security-policy']).split('; ')
    const policy = new Map(directives.map((one) => [one.split(' ')[0], one.split(' ').slice(1)]))
    const ofType = (name: string) =>
      policy.get(name)?.filter((source) => !/^'(self|nonce)|^data:/.test(source))
    return {
      script: ofType('script-src'),
      connect: ofType('connect-src'),
      pictures: ofType('img-src'),
      style: ofType('style-src'),
      opener: headers['cross-origin-opener-policy'],
    }
  }
  const closed = { script: [], connect: [], pictures: [], style: [], opener: 'same-origin' }
  assert.deepEqual(await readPolicy(), closed)
  await shop.offer({ otherMethods: ['paypal', 'ideal', 'google_pay'] })
  assert.deepEqual(await readPolicy(), closed, 'Google Pay without its id is not on')
  const apple = ['https://applepay.cdn-apple.com']
  await shop.offer({ otherMethods: ['apple_pay'] })
  assert.deepEqual(await readPolicy(), {
    ...closed,
    script: apple,
    connect: apple,
    pictures: apple,
  })
  await shop.offer({ otherMethods: ['google_pay'], googlePayMerchantId: merchantId })
  assert.deepEqual(await readPolicy(), {
    script: ['https://pay.google.com'],
    connect: ['https://google.com', 'https://www.google.com', 'https://pay.google.com'],
    pictures: ['https://*.gstatic.com'],
    style: ["'unsafe-inline'"],
    opener: 'same-origin-allow-popups',
  })
  shop.shop.payments.sandboxUrl = shop.sandbox.url
  await shop.offer({ otherMethods: ['google_pay', 'apple_pay'], googlePayMerchantId: merchantId })
  assert.deepEqual(await readPolicy(), closed, 'the sandbox brings its own')
})

test('the thank-you page says how it was paid, and where a refund went', async () => {
  const shop = await openShop()
  await shop.offer({ otherMethods: ['paypal'] })
  const buyer = createBuyer(shop, null)
  const checkoutId = await buyer.arrive(shop.mug)
  await payOtherwise(shop.sandbox, checkoutId, 'paypal')
  const { id } = (await buyer.order(checkoutId)).json()
  const read = async () => (await buyer.call('GET', thankYouPath(id))).body
  assert.match(await read(), /Payment method<.{1,200}>PayPal</)
  await shop.db.update(payments).set({ refunded: '49.00' })
  await shop.offer(defaultMethods)
  assert.doesNotMatch(await read(), /went back/, 'no money has moved for a test order')
  await shop.db.update(orders).set({ isTest: false })
  const refunded = await read()
  assert.match(refunded, /€49\.00 went back the way you paid\./)
  assert.doesNotMatch(refunded, /went back to your card/)
  assert.match(refunded, /Refunds go back the way you paid\./)
})
