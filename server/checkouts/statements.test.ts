import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { checkoutPath, thankYouPath } from '#contract/paths.ts'
import { readWebFiles } from '#server/http/web-files.ts'
import { createBuyer, delivery, payByCard } from '#server/testing/buyer.ts'
import { openSaleShop } from '#server/testing/sale.ts'

/** Every statement that any connection of this process sends, BEGIN and COMMIT too. */
const sent: { text: string; isPlanned: boolean }[] = []
// oxlint-disable-next-line typescript/unbound-method -- called with its own `this` below
const { query } = Client.prototype
Client.prototype.query = function count(this: Client, ...args: unknown[]) {
  const [asked] = args as [string | { text?: string; name?: string }]
  const { text = '', name } = typeof asked === 'string' ? { text: asked } : asked
  // What is read at most once a second, however much is sold.
  const isRepeated = name === 'till_product_on_sale' || name === 'till_shop_settings'
  if (!isRepeated) sent.push({ text, isPlanned: Boolean(name) })
  return Reflect.apply(query, this, args)
} as typeof query

test('a sale takes six database statements until its order, and each call its known number', async () => {
  const shop = await openSaleShop({ web: await readWebFiles() })
  const buyer = createBuyer(shop)
  await buyer.call('GET', checkoutPath(shop.mug))
  let checkoutId = ''
  let orderId = ''

  async function countStatements(work: () => Promise<unknown>): Promise<number> {
    sent.length = 0
    await work()
    assert.deepEqual(
      sent.filter(({ isPlanned }) => !isPlanned).map(({ text }) => text),
      [],
      'a statement of a sale is planned anew each time',
    )
    return sent.length
  }

  const statements = {
    open: await countStatements(async () => {
      checkoutId = (await buyer.open(shop.mug)).json().checkoutId
    }),
    details: await countStatements(() => buyer.saveDetails(checkoutId, delivery)),
    order: await countStatements(async () => {
      await payByCard(shop.sandbox, checkoutId)
      orderId = (await buyer.order(checkoutId)).json().id
    }),
    thankYou: await countStatements(() => buyer.call('GET', thankYouPath(orderId))),
  }
  assert.notEqual(orderId, '')
  assert.deepEqual(statements, { open: 2, details: 2, order: 2, thankYou: 2 })
})
