import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countries } from '#contract/countries.ts'
import { orderStatuses } from '#contract/orders.ts'
import { readConfig } from '#server/config.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { analyticsEvents } from '#server/db/analytics-schema.ts'
import { checkouts, mails, orders, orderTimeline, products } from '#server/db/schema.ts'
import { openTestDatabase } from '#server/testing/test-database.ts'
import { addOrders as addRealOrders } from '#server/testing/orders.ts'
import { temporaryFolder } from '#server/testing/temporary-folder.ts'
import { openPictures } from '#server/uploads/open-pictures.ts'
import { addCheckouts } from '#tools/seed/add-checkouts.ts'
import { addEvents } from '#tools/seed/add-events.ts'
import { addOrders } from '#tools/seed/add-orders.ts'
import { addProducts } from '#tools/seed/add-products.ts'
import { addReviewed } from '#tools/seed/add-reviewed.ts'
import { clearDemo, requireNoSales } from '#tools/seed/clear-demo.ts'
import { demoProducts } from '#tools/seed/demo-products.ts'
import { readWishes } from '#tools/seed/wishes.ts'

const { db } = await openTestDatabase()
const now = new Date()

/** The demo without its pictures, which take a second each. */
async function seed(number: number, count: number): Promise<void> {
  for (const { id, name, price } of demoProducts) {
    const headerLogoUrl = 'https://example.com/logo.png'
    await db
      .insert(products)
      .values({ id, name, price, headerLogoUrl, createdBy: 'admin' })
      .onConflictDoNothing()
  }
  await db.transaction(async (tx) => {
    await clearDemo(tx)
    await addOrders(tx, { seed: number, count, actor: 'admin', now })
    await addCheckouts(tx)
    await addEvents(tx, { seed: number, count: count * 10, now })
    await addReviewed(tx)
  })
}

test('a demo has a year of orders, each with its story, its payment and its visit, and sends no mail', async () => {
  await seed(1, 150)
  const made = await db.select().from(orders).orderBy(orders.createdAt)
  assert.equal(made.length, 150)
  for (const order of made) {
    assert.ok(
      order.createdAt <= now && order.updatedAt <= now && order.updatedAt >= order.createdAt,
    )
    assert.match(
      order.customerEmail ?? '',
      /@example\.(com|org|net)$/,
      'nobody real is ever written to',
    )
    const steps = await db
      .select()
      .from(orderTimeline)
      .where(eq(orderTimeline.orderId, order.id))
      .orderBy(orderTimeline.createdAt)
    const way = orderStatuses.slice(0, steps.length)
    assert.deepEqual(
      steps.map(({ fromStatus, toStatus }) => [fromStatus, toStatus]),
      way.map((status, step) => [way[step - 1] ?? null, status]),
    )
    assert.equal(order.status, way.at(-1))
  }
  assert.deepEqual(
    new Set(made.map(({ shippingAddress }) => shippingAddress.country)),
    new Set(countries),
  )
  assert.deepEqual(new Set(made.map(({ status }) => status)), new Set(orderStatuses))
  assert.deepEqual(await db.select().from(mails), [])
  const paid = await db.select().from(checkouts).where(eq(checkouts.state, 'paid'))
  assert.equal(paid.length, 150)
  const events = await db.select().from(analyticsEvents)
  const ofType = (type: string) => events.filter(({ eventType }) => eventType === type).length
  assert.deepEqual(
    [events.length, ofType('checkout_complete'), ofType('thank_you_view')],
    [1_500, 150, 150],
  )
  assert.ok(events.every(({ createdAt }) => createdAt <= new Date(now.getTime() + 10_000)))
})

test('the same seed makes the same demo, another one another, and each takes the place of the last', async () => {
  const read = async () =>
    (await db.select().from(orders).orderBy(orders.sumupCheckoutId)).map(
      ({ id, customerEmail, productId }) => [id, customerEmail, productId],
    )
  await seed(1, 30)
  const first = await read()
  await seed(2, 30)
  assert.notDeepEqual(await read(), first)
  await seed(1, 30)
  assert.deepEqual(await read(), first)
  assert.equal(await db.$count(analyticsEvents), 300)
  const inReview = await db.select().from(checkouts).where(eq(checkouts.state, 'review'))
  assert.deepEqual(
    inReview.map(({ reviewReason }) => reviewReason),
    ['no-details'],
  )
})

test('old orders of the demo keep a name that their product no longer has', async () => {
  await seed(1, 150)
  const made = await db.select().from(orders)
  const renamedAt = now.getTime() - 180 * 24 * 3_600_000
  const old = made.filter(({ product }) => product.name === 'Honey Candle')
  assert.ok(old.length > 0 && old.every(({ createdAt }) => createdAt.getTime() < renamedAt))
  const candle = made.filter(({ product }) => product.name === 'Beeswax Candle')
  assert.deepEqual([...new Set(candle.map(({ productId }) => productId))], [old[0]?.productId])
})

test('a shop that sold something itself is left alone, and told where a demo belongs', async () => {
  await seed(1, 10)
  const [real] = await addRealOrders(db, [{}])
  const sentence = /1 order\(s\) that no seed made.*DATA_DIR=\.\/demo npm run seed/
  await assert.rejects(requireNoSales(db), sentence)
  await assert.rejects(seed(1, 5), sentence)
  assert.equal(await db.$count(orders), 11)
  await db.delete(orders).where(eq(orders.id, real?.id ?? ''))
  await db.update(checkouts).set({ sumupCheckoutId: 'real' }).where(eq(checkouts.state, 'review'))
  await assert.rejects(requireNoSales(db), /1 payment\(s\)/)
  await db.execute(sql`delete from checkouts where sumup_checkout_id = 'real'`)
  await seed(1, 5)
  assert.equal(await db.$count(orders), 5)
})

test('pictures of the demo go the way of every picture, once', async () => {
  const pictures = await openPictures(readConfig({ DATA_DIR: temporaryFolder() }), 'x'.repeat(32))
  const [mug] = demoProducts
  const read = async () => (await db.select().from(products).where(eq(products.id, mug.id)))[0]
  await addProducts(db, pictures, 'admin', [mug])
  const made = await read()
  const key = made?.imageUrl?.replace('/api/objects/', '') ?? ''
  assert.ok(await pictures.store.maybeRead(`${key}.item.webp`))
  await db.update(products).set({ name: 'Renamed', deletedAt: now }).where(eq(products.id, mug.id))
  await addProducts(db, pictures, 'admin', [mug])
  const again = await read()
  assert.deepEqual([again?.name, again?.deletedAt], [mug.name, null])
  assert.deepEqual([again?.imageUrl, again?.headerLogoUrl], [made?.imageUrl, made?.headerLogoUrl])
})

test('wishes that make no sense are refused in words', () => {
  assert.deepEqual(readWishes([]), { orders: 400, events: 4_800, seed: 1 })
  assert.deepEqual(readWishes(['--orders', '10', '--events=0']), { orders: 10, events: 0, seed: 1 })
  const bad = {
    '--orders ten': /--orders must be a number from 0 to 2,000,000, not "ten"/,
    '--orders=-1': /not "-1"/,
  }
  const worse = {
    '--orders 1e9': /not "1e9"/,
    '--orders 99999999': /not "99999999"/,
    '--order 5': /--order/,
    '7': /7/,
  }
  for (const [words, sentence] of Object.entries({ ...bad, ...worse })) {
    assert.throws(
      () => readWishes(words.split(' ')),
      { name: 'CannotStart', message: sentence },
      words,
    )
  }
  assert.throws(() => readWishes(['--orders', '10', '--events', '20']), /which is 30 events/)
})
