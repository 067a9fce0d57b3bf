import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countries } from '#contract/countries.ts'
import { orderStatuses } from '#contract/orders.ts'
import { readConfig } from '#server/config.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { analyticsEvents } from '#server/db/analytics-schema.ts'
import { payments, reviewEntries } from '#server/db/payment-schema.ts'
import { checkouts, mails, orders, orderTimeline, products } from '#server/db/schema.ts'
import { openTestDatabase } from '#server/testing/test-database.ts'
import { addOrders as addRealOrders } from '#server/testing/orders.ts'
import { temporaryFolder } from '#server/testing/temporary-folder.ts'
import { openPictures } from '#server/uploads/open-pictures.ts'
import { createDemo, loadDemo, parseDemoOptions, assertNoSales } from '#tools/seed/demo.ts'
import { addProducts, demoProducts } from '#tools/seed/products.ts'
import { showBar } from '#tools/terminal.ts'

const { db, pool } = await openTestDatabase()
const now = new Date()

/** The demo without its pictures: reading and storing one takes a second. */
async function seedDemo(seed: number, count: number): Promise<void> {
  for (const { id, name, price } of demoProducts) {
    const headerLogoUrl = 'https://example.com/logo.png'
    await db
      .insert(products)
      .values({ id, name, price, headerLogoUrl, createdBy: 'admin' })
      .onConflictDoNothing()
  }
  await loadDemo(pool, { seed, orders: count, events: count * 10, actor: 'admin', now })
}

test('a demo has a year of orders, each with its timeline, payment and visit, and sends no mail', async () => {
  await seedDemo(1, 150)
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
    const expected = orderStatuses.slice(0, steps.length)
    assert.deepEqual(
      steps.map(({ fromStatus, toStatus }) => [fromStatus, toStatus]),
      expected.map((status, step) => [expected[step - 1] ?? null, status]),
    )
    assert.equal(order.status, expected.at(-1))
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
  const rows = [made, events, await db.select().from(checkouts)].flat()
  assert.ok(
    rows.every(({ isTest }) => isTest),
    'a demo can be removed like any test',
  )
  assert.ok(events.every(({ createdAt }) => createdAt <= new Date(now.getTime() + 10_000)))
})

test('orders of a large demo repeat at other times, from other addresses, and are numbered in their order', async () => {
  await seedDemo(1, 4_500)
  const made = await db.select().from(orders).orderBy(orders.number)
  const times = made.map(({ createdAt }) => createdAt.getTime())
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  )
  const addresses = new Set(made.map(({ customerEmail }) => customerEmail))
  assert.ok(addresses.size > 4_400 && addresses.size < 4_500, 'some buyers order twice')
  assert.ok(made.some(({ customerEmail }) => /\.2@example\./.test(customerEmail ?? '')))
})

test('the same seed creates the same demo, and each demo replaces the one before', async () => {
  const read = async () =>
    (await db.select().from(orders).orderBy(orders.sumupCheckoutId)).map(
      ({ id, customerEmail, productId }) => [id, customerEmail, productId],
    )
  await seedDemo(1, 30)
  const first = await read()
  await seedDemo(2, 30)
  assert.notDeepEqual(await read(), first)
  await seedDemo(1, 30)
  assert.deepEqual(await read(), first)
  assert.equal(await db.$count(analyticsEvents), 300)
  const inReview = await db.select().from(reviewEntries)
  assert.deepEqual(
    inReview.map(({ reason, state }) => [reason, state]),
    [['no-details', 'open']],
  )
  assert.equal(await db.$count(payments), 1)
})

test('old orders of the demo keep the name that their product had', async () => {
  await seedDemo(1, 150)
  const made = await db.select().from(orders)
  const renamedAt = now.getTime() - 180 * 24 * 3_600_000
  const old = made.filter(({ product }) => product.name === 'Honey Candle')
  assert.ok(old.length > 0 && old.every(({ createdAt }) => createdAt.getTime() < renamedAt))
  const candle = made.filter(({ product }) => product.name === 'Beeswax Candle')
  assert.deepEqual([...new Set(candle.map(({ productId }) => productId))], [old[0]?.productId])
})

test('a shop with real sales is left alone', async () => {
  await seedDemo(1, 10)
  const [real] = await addRealOrders(db, [{}])
  const message = /1 order\(s\) that no seed made.*DATA_DIR=\.\/demo npm run seed/
  await assert.rejects(assertNoSales(db), message)
  await assert.rejects(seedDemo(1, 5), message)
  assert.equal(await db.$count(orders), 11)
  await db.delete(orders).where(eq(orders.id, real?.id ?? ''))
  await db.update(checkouts).set({ sumupCheckoutId: 'real' }).where(eq(checkouts.state, 'review'))
  await assert.rejects(assertNoSales(db), /1 payment\(s\)/)
  await db.execute(sql`delete from checkouts where sumup_checkout_id = 'real'`)
  await seedDemo(1, 5)
  assert.equal(await db.$count(orders), 5)
})

test('pictures of the demo are uploaded once, like any picture', async () => {
  const pictures = await openPictures(readConfig({ DATA_DIR: temporaryFolder() }), 'x'.repeat(32))
  const [mug] = demoProducts
  const read = async () => (await db.select().from(products).where(eq(products.id, mug.id)))[0]
  await addProducts(db, pictures, 'admin', [mug])
  const made = await read()
  const key = made?.imageUrl?.replace('/api/objects/', '') ?? ''
  assert.ok(await pictures.store.findFile(`${key}.item.webp`))
  await db.update(products).set({ name: 'Renamed', deletedAt: now }).where(eq(products.id, mug.id))
  await addProducts(db, pictures, 'admin', [mug])
  const again = await read()
  assert.deepEqual([again?.name, again?.deletedAt], [mug.name, null])
  assert.deepEqual([again?.imageUrl, again?.headerLogoUrl], [made?.imageUrl, made?.headerLogoUrl])
})

test('on a terminal a demo shows a bar below the steps that ended; in a log only these', async () => {
  const pictures = await openPictures(readConfig({ DATA_DIR: temporaryFolder() }), 'x'.repeat(32))
  const seed = async (isTTY: boolean) => {
    let printed = ''
    const write = (text: string) => (printed += text)
    const demo = { orders: 20, events: 200, seed: 1, timeZone: 'UTC' }
    const bar = showBar({ isTTY, write } as unknown as NodeJS.WriteStream)
    await createDemo({ db, pool }, pictures, demo, bar)
    return printed
      .replaceAll(/ \(\d+\.\d s\)/g, '')
      .trimEnd()
      .split('\n')
  }
  const clearLine = '\r\u001B[K'
  const visible = (await seed(true)).map((line) => line.split(clearLine).at(-1) ?? '')
  const steps = await seed(false)
  assert.equal(steps.length, 9)
  assert.ok(steps.includes('20 orders'))
  const whole = ['Products', 'Demo    '].map((step) => `${step}  ${'█'.repeat(24)} 100 %  `)
  assert.deepEqual(visible.toSorted(), [...steps, ...whole].toSorted())
})

test('invalid options are refused with an explanation', () => {
  assert.deepEqual(parseDemoOptions([]), { orders: 400, events: 4_800, seed: 1 })
  assert.deepEqual(parseDemoOptions(['--orders', '10', '--events=0']), {
    orders: 10,
    events: 0,
    seed: 1,
  })
  const invalid = {
    '--orders ten': /--orders must be a number from 0 to 2,000,000, not "ten"/,
    '--orders=-1': /not "-1"/,
    '--orders 1e9': /not "1e9"/,
    '--orders 99999999': /not "99999999"/,
    '--order 5': /--order/,
    '7': /7/,
  }
  for (const [args, message] of Object.entries(invalid)) {
    assert.throws(() => parseDemoOptions(args.split(' ')), { name: 'CannotStart', message }, args)
  }
  assert.throws(() => parseDemoOptions(['--orders', '10', '--events', '20']), /which is 30 events/)
})
