import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { checkoutPath, thankYouPath } from '#contract/paths.ts'
import { readWebFiles } from '#server/http/web-files.ts'
import { createBuyer, delivery, payByCard } from '#server/testing/buyer.ts'
import { openSaleShop } from '#server/testing/sale.ts'

/** Every statement that any connection of this process sends, BEGIN and COMMIT too. */
const sent: string[] = []
// oxlint-disable-next-line typescript/unbound-method -- called with its own `this` below
const { query } = Client.prototype
Client.prototype.query = function count(this: Client, ...args: unknown[]) {
  const [asked] = args as [string | { text?: string; name?: string }]
  const { text = '', name } = typeof asked === 'string' ? { text: asked } : asked
  // What is read at most once a second, however much is sold.
  const isRepeated =
    name?.startsWith('till_product_on_sale') || name?.startsWith('till_shop_settings')
  if (!isRepeated) sent.push(text)
  return Reflect.apply(query, this, args)
} as typeof query

const shop = await openSaleShop({ web: await readWebFiles() })

/** What is sent while something is done, and all that it causes. */
async function listStatements(work: () => Promise<unknown>): Promise<string[]> {
  sent.length = 0
  await work()
  return [...sent]
}

/** From BEGIN to COMMIT. */
const inTransaction = (statements: string[]) =>
  statements.slice(statements.indexOf('begin'), statements.indexOf('commit') + 1)

test('a sale takes at most 24 statements, and the write that makes its order at most 12', async () => {
  const buyer = createBuyer(shop)
  await buyer.call('GET', checkoutPath(shop.mug))
  let checkoutId = ''
  let orderId = ''
  const open = await listStatements(async () => {
    checkoutId = (await buyer.open(shop.mug)).json().checkoutId
  })
  const details = await listStatements(() => buyer.saveDetails(checkoutId, delivery))
  await payByCard(shop.sandbox, checkoutId)
  const order = await listStatements(async () => {
    orderId = (await buyer.order(checkoutId)).json().id
  })
  const thankYou = await listStatements(() => buyer.call('GET', thankYouPath(orderId)))
  assert.notEqual(orderId, '')
  const write = inTransaction(order)
  assert.ok(write.length <= 12, write.join('\n'))
  const whole = [...open, ...details, ...order, ...thankYou]
  assert.ok(whole.length <= 24, whole.join('\n'))
})

test('a decision that changes nothing but its sale is one statement, without a transaction', async () => {
  const buyer = createBuyer(shop)
  const { checkoutId } = (await buyer.open(shop.mug)).json()
  await buyer.saveDetails(checkoutId, delivery)
  // SumUp shows no card yet: only when it is asked again changes.
  const statements = await listStatements(() => buyer.look(checkoutId))
  const writes = statements.filter((text) => !text.startsWith('select'))
  assert.ok(writes.length > 0)
  for (const text of writes) assert.match(text, /^update "checkouts"/)
})
