import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes, checkoutPath, pathOf, thankYouPath } from '#contract/paths.ts'
import { defaultDelivery } from '#contract/quotes.ts'
import { readWebFiles } from '#server/http/web-files.ts'
import { composeMail } from '#server/mail/messages.ts'
import { findOrderByCheckout } from '#server/orders/orders.ts'
import { createBuyer, delivery, payByCard } from '#server/testing/buyer.ts'
import { mailSettings } from '#server/testing/mails.ts'
import { refundOne } from '#server/testing/order-refunds.ts'
import { addCode, changeConfig, pricedDelivery } from '#server/testing/prices.ts'
import { openSaleShop } from '#server/testing/sale.ts'
import { testAdmin } from '#server/testing/test-shop.ts'

/* What buyers and the owner are shown of a price that has parts. */

const shop = await openSaleShop({ web: await readWebFiles() })
const { app, db, sandbox, mug } = shop

async function readPage(query = ''): Promise<string> {
  const { statusCode, body } = await app.inject({ url: `${checkoutPath(mug)}${query}` })
  assert.equal(statusCode, 200)
  return body
}

/** What the summary says, in words. */
function readSummary(page: string): string {
  const [, summary = ''] = /<dl id="order-summary"[^>]*>(.*?)<\/dl>/s.exec(page) ?? []
  return summary
    .replaceAll(/<[^>]+>/g, ' ')
    .split(' ')
    .filter(Boolean)
    .join(' ')
}

test('the page of a shop without prices and codes has nothing of them', async () => {
  const page = await readPage()
  assert.equal(readSummary(page), 'Subtotal €49.00 Shipping Free Total EUR €49.00')
  assert.doesNotMatch(page, /data-price|plusShipping/)
})

test('without a country the page names no total that may be wrong', async () => {
  changeConfig(shop, { delivery: pricedDelivery })
  const page = await readPage()
  changeConfig(shop, { delivery: defaultDelivery })
  assert.equal(
    readSummary(page),
    'Subtotal €49.00 Shipping Choose a country Total EUR €49.00 + shipping',
  )
  assert.match(page, /Amount due.{0,120}€49\.00 \+ shipping/s)
  assert.match(page, /What shipping costs is shown before you pay/)
  assert.doesNotMatch(page, /Shipping is free/)
  assert.equal(readSummary(await readPage()), 'Subtotal €49.00 Shipping Free Total EUR €49.00')
})

test('a code in the link is shown to who has the link, and to nobody else', async () => {
  await addCode(shop, 'SUMMER')
  assert.equal(
    readSummary(await readPage('?code=summer')),
    'Subtotal €49.00 Discount (SUMMER) −€4.90 Shipping Free Total EUR €44.10',
  )
  const other = await readPage()
  assert.equal(readSummary(other), 'Subtotal €49.00 Shipping Free Total EUR €49.00')
  assert.doesNotMatch(other, /SUMMER/)
})

const notice = /The discount code in the link is not valid for this purchase/

test('a code that does not count is no error: the page says so, at the full price', async () => {
  await addCode(shop, 'ALLOFIT', { amount: '49.00' })
  for (const code of ['nothing', 'x'.repeat(500), '%00', 'ALLOFIT', '"><script>']) {
    const page = await readPage(`?code=${encodeURIComponent(code)}`)
    assert.match(page, notice, code)
    assert.equal(readSummary(page), 'Subtotal €49.00 Shipping Free Total EUR €49.00')
    assert.doesNotMatch(page, /"><script>/)
  }
  for (const query of ['', '?code=', '?code=a&code=b'])
    assert.doesNotMatch(await readPage(query), notice, query)
})

test('pages with codes that do not exist are one page, rendered once', async () => {
  const pages = await Promise.all(['one', 'two', 'three'].map((code) => readPage(`?code=${code}`)))
  assert.match(pages[0] ?? '', notice)
  // The nonce is another one each time a page is rendered.
  assert.equal(new Set(pages).size, 1)
  assert.doesNotMatch(await readPage(), notice)
})

test('an order shows what its amount is made of, to the buyer and to the owner', async () => {
  await addCode(shop, 'FIVE', { amount: '5.00' })
  changeConfig(shop, { delivery: pricedDelivery })
  const buyer = createBuyer(shop)
  const wish = { country: 'Germany', code: 'five' }
  const body = { productId: mug, amount: '48.90', currency: 'EUR', ...wish }
  const { checkoutId } = (await buyer.call('POST', apiRoutes.createCheckout, body)).json()
  await buyer.saveDetails(checkoutId)
  await payByCard(sandbox, checkoutId)
  const order = (await buyer.order(checkoutId)).json()
  changeConfig(shop, { delivery: defaultDelivery })

  const terms = {
    subtotal: '49.00',
    shipping: '4.90',
    discount: '5.00',
    code: 'FIVE',
    country: 'Germany',
    isPickup: false,
  }
  assert.deepEqual(order.terms, terms)
  const headers = await shop.signIn()
  const url = pathOf(apiRoutes.order, { id: order.id })
  assert.deepEqual((await app.inject({ url, headers })).json().terms, terms)

  const words = (html: string) => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
  const parts = /Discount \(FIVE\) −€5\.00 Shipping €4\.90 Total EUR €48\.90/
  assert.match(words((await buyer.call('GET', thankYouPath(order.id))).body), parts)

  const placed = await findOrderByCheckout(db, { sumupCheckoutId: checkoutId })
  assert.ok(placed)
  const settings = { ...mailSettings, alertEmail: 'owner@example.com', announcesSales: true }
  for (const kind of ['confirmation', 'new-sale']) {
    const mail = composeMail({ id: order.id, kind }, placed, settings)
    assert.match(mail?.text ?? '', /Discount \(FIVE\) +−€5\.00/, kind)
    assert.match(mail?.text ?? '', /Shipping +€4\.90/, kind)
    assert.match(mail?.text ?? '', /€48\.90/, kind)
    if (kind === 'new-sale') assert.match(mail?.subject ?? '', /for €48\.90/)
  }

  const [titles = '', ...lines] = (
    await app.inject({ url: apiRoutes.orderExport, headers })
  ).body.split('\r\n')
  assert.ok(titles.endsWith(',Subtotal,Shipping,Discount,Discount code'), titles)
  assert.ok(lines[0]?.endsWith(',49.00,4.90,5.00,FIVE'), lines[0])
})

test('what was refunded is not called ready for pickup', async () => {
  changeConfig(shop, { delivery: pricedDelivery })
  const buyer = createBuyer(shop, '203.0.113.9')
  const { checkoutId } = (await buyer.open(mug, '49.00', 'EUR', { isPickup: true })).json()
  await buyer.saveDetails(checkoutId, { ...delivery, isPickup: true })
  await payByCard(sandbox, checkoutId)
  const { id } = (await buyer.order(checkoutId)).json()
  changeConfig(shop, { delivery: defaultDelivery })
  const url = pathOf(apiRoutes.orderStatus, { id })
  const headers = await shop.signIn()
  await app.inject({ method: 'PATCH', url, headers, payload: { status: 'shipped' } })
  const readThanks = async () => (await buyer.call('GET', thankYouPath(id))).body
  assert.match(await readThanks(), /Ready for pickup/)
  assert.equal((await refundOne(shop, id, { password: testAdmin.password })).state, 'done')
  const page = await readThanks()
  assert.match(page, /Your order was refunded/)
  assert.doesNotMatch(page, /Ready for pickup/)
})
