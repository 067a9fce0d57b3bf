import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { findRecord } from '#server/checkouts/record-rows.ts'
import { writeRecord, type DecidedBy } from '#server/checkouts/write-record.ts'
import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { payments, refunds, reviewEntries } from '#server/db/payment-schema.ts'
import { checkouts, orders, products, shownProducts } from '#server/db/schema.ts'
import { createOrderRow } from '#server/orders/orders.ts'
import { describePayment } from '#server/orders/paid-order.ts'
import { changesNothing, listChanges, tellBuyer, type SaleRecord } from '#server/payments/record.ts'
import type { Written } from '#server/payments/flow.ts'
import { openTestDatabase } from '#server/testing/test-database.ts'
import { mediumBounds, smallBounds } from './explore/bounds.ts'
import { explore, type Bound } from './explore/search.ts'
import { details, product } from './explore/shop.ts'
import { write, type World, type WriteRequest } from './explore/world.ts'

/**
 * The exploration writes decisions on rows of its own (world.ts). Here the same decisions are written by the shop's SQL
 * (write-record.ts) and read again (record-rows.ts): both must come to the same rows and the same answer.
 */

/** States visited of each bound: enough for most kinds of decisions. explore.test.ts and explore-large.test.ts visit all. */
const maxStates = 1_000
/** Writes of one kind that are compared. */
const maxPerKind = 2

test('the database and the exploration write every kind of decision alike', async () => {
  const kinds = collectWrites([...smallBounds, ...mediumBounds])
  assert.ok(kinds.size > 100, `only ${kinds.size} kinds`)
  const { db } = await openTestDatabase()
  const { vatRate: _rate, choice: _none, ...fields } = asRows(product)
  await db.insert(products).values({ ...fields, headerName: '', createdBy: 'test' })
  for (const writes of kinds.values())
    for (const { world, request } of writes) await compare(db, world, request)
})

type FoundWrite = { world: World; request: WriteRequest }

function collectWrites(bounds: Bound[]): Map<string, FoundWrite[]> {
  const kinds = new Map<string, FoundWrite[]>()
  const onVisit = (world: World) => {
    for (const { step } of world.runs) {
      if (step.type !== 'write') continue
      const kind = kindOf(world, step)
      const known = kinds.get(kind) ?? []
      if (known.length < maxPerKind) kinds.set(kind, [...known, { world, request: step }])
    }
  }
  for (const bound of bounds) explore(bound, { maxStates, onVisit })
  return kinds
}

/** Writes that differ in nothing but values are of one kind. */
function kindOf(world: World, request: WriteRequest): string {
  const { loaded, decision, note, onlyIfFree, isForBuyer } = request
  const { record } = loaded
  const { after } = decision
  if (changesNothing(record, decision) && note === undefined) return 'nothing'
  const { columns, ...rows } = listChanges(record, after)
  return JSON.stringify([
    write(world, request).answer.type,
    record.sale?.state,
    after.sale?.state,
    columns,
    Object.values(rows).map((changed) => changed.length),
    after.questions.map(({ state, reason }) => [state, reason]),
    after.refunds.map(({ state }) => state),
    [
      decision.order,
      decision.reassignOrderTo,
      decision.mails?.length,
      decision.returned?.length,
    ].map(Boolean),
    [note, onlyIfFree, isForBuyer].map(Boolean),
  ])
}

async function compare(db: Db, world: World, request: WriteRequest): Promise<void> {
  const expected = write(world, request)
  await insertWorld(db, world)
  const { loaded, decision, note, onlyIfFree, isForBuyer } = asRows(
    request,
    nameNewRows(world, request),
  )
  const told = isForBuyer ? tellBuyer(decision, loaded.now) : decision
  const decidedBy = note && admin
  const answer = await writeRecord(db, loaded, told, { by: decidedBy, onlyIfFree })
  assert.deepEqual(describeAnswer(answer), describeAnswer(asRows(expected.answer)))
  for (const [id, record] of Object.entries(expected.world.records)) {
    const read = await findRecord(db, uuidOf(id))
    assert.deepEqual(describe(read?.record), describe(asRows(record)), JSON.stringify(request))
  }
}

const admin: DecidedBy = {
  actor: { admin: { id: uuidOf('admin'), username: 'owner' } as never, address: '' },
  entry: { action: 'review-dismissed', subject: 'entry' },
}

/** All of a world's rows, and no others. */
async function insertWorld(db: Db, { records }: World): Promise<void> {
  await db.execute(
    sql`truncate checkouts, payments, refunds, review_entries, orders, mails cascade`,
  )
  for (const { sale, order, ...rows } of Object.values(asRows(records))) {
    if (sale) {
      const { shownVersion: version } = sale
      await db
        .insert(shownProducts)
        .values({ version, product: sale.product })
        .onConflictDoNothing()
      await db.insert(checkouts).values(sale)
    }
    if (rows.payments.length > 0) await db.insert(payments).values(rows.payments)
    if (rows.refunds.length > 0) await db.insert(refunds).values(rows.refunds)
    if (rows.questions.length > 0) await db.insert(reviewEntries).values(rows.questions)
    if (!order) continue
    const sold = createOrderRow(
      {
        product: asRows(product),
        details,
        amount: product.price,
        currency: product.currency,
        terms: null,
        discountCodeId: null,
        sumupCheckoutId: sale?.sumupCheckoutId ?? null,
        paymentMethod: 'card',
        sumupTransactionId: order.transactionId,
        isTest: false,
        now: new Date(),
      },
      describePayment(undefined),
    )
    const {
      refundedAmount: _refunded,
      chargedBackAmount: _chargedBack,
      isPaid: _paid,
      ...row
    } = sold
    await db.insert(orders).values({ ...row, id: order.id })
  }
}

const idNames = ['id', 'saleId', 'paymentId', 'productId']

/** The same with UUIDs, as the database has them, for the short names of the exploration. */
function asRows<Part>(part: Part, nameOf = uuidOf): Part {
  if (Array.isArray(part)) return part.map((one) => asRows(one, nameOf)) as Part
  if (typeof part !== 'object' || part === null || part instanceof Date) return part
  const entries = Object.entries(part).map(([name, value]) => [
    name,
    idNames.includes(name) && typeof value === 'string' ? nameOf(value) : asRows(value, nameOf),
  ])
  return Object.fromEntries(entries) as Part
}

/** The exploration names rows after their transaction. Those of two sales are two, if SumUp names it under both. */
function nameNewRows({ records }: World, { loaded, decision }: WriteRequest) {
  const { addedPayments } = listChanges(loaded.record, decision.after)
  const isNew = (name: string) => addedPayments.some(({ id }) => id === name)
  const known = Object.values(records).flatMap(({ payments: paid }) => paid.map(({ id }) => id))
  return (name: string) =>
    uuidOf(isNew(name) && known.includes(name) ? `${name} of another sale` : name)
}

function uuidOf(name: string): string {
  const digits = hash('sha1', name)
  const lengths = [8, 4, 4, 4, 12]
  let at = 0
  return lengths.map((length) => digits.slice(at, (at += length))).join('-')
}

function describeAnswer(answer: Written): unknown {
  return answer.type === 'written' ? { type: answer.type, record: describe(answer.record) } : answer
}

/** Without what only the database decides: the time of the change, and the id of an order. */
function describe(record: SaleRecord | undefined): unknown {
  if (!record) return undefined
  const { sale, payments: paid, refunds: asked, questions, order } = record
  return JSON.parse(
    JSON.stringify({
      sale: sale && { ...sale, updatedAt: undefined },
      paid,
      asked,
      questions: questions.toSorted((one, other) => one.id.localeCompare(other.id)),
      order: order && { transactionId: order.transactionId },
    }),
  )
}
