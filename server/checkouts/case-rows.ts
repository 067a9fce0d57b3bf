import type { ProductAsSold } from '#contract/orders.ts'
import type { Db } from '#server/db/database.ts'
import { getTableColumns, sql, type SQL } from '#server/db/drizzle.ts'
import { payments, refunds, reviewEntries } from '#server/db/payment-schema.ts'
import { runStatement, writeStatement, type Statement } from '#server/db/prepared.ts'
import { checkouts } from '#server/db/schema.ts'
import {
  isSaleCase,
  type Case,
  type Loaded,
  type Payment,
  type SaleCase,
} from '#server/payments/case.ts'

/* How cases are read: a sale, its payments, their refunds, its review entries and its order, in one statement. */

const { placeholder } = sql

type Table = typeof payments | typeof refunds | typeof reviewEntries | typeof checkouts

type Row<Of extends Table> = Of['$inferSelect']

/** A row as JSON. Amounts as text: as numbers they would lose their form. */
function jsonOf(table: Table, name: string): SQL {
  const fields = Object.entries(getTableColumns(table)).map(([key, column]) => {
    const value = sql.raw(`${name}."${column.name}"`)
    return sql`${sql.raw(`'${key}'`)}, ${column.columnType === 'PgNumeric' ? sql`${value}::text` : value}`
  })
  // A function takes at most a hundred arguments.
  const halves = [fields.slice(0, 45), fields.slice(45)].filter(({ length }) => length > 0)
  return sql.join(
    halves.map((half) => sql`jsonb_build_object(${sql.join(half, sql`, `)})`),
    sql` || `,
  )
}

/** A row from its JSON, with times as dates. */
function parseRow<Of extends Table>(table: Of, json: Record<string, unknown>): Row<Of> {
  const entries = Object.entries(getTableColumns(table)).map(([key, column]) => {
    const value = json[key]
    const isTime = column.columnType === 'PgTimestamp' && typeof value === 'string'
    return [key, isTime ? new Date(value) : value]
  })
  return Object.fromEntries(entries) as Row<Of>
}

export type Json = Record<string, unknown>

/** The row of a sale that is called `name` in the statement around it, without its product. */
export const saleRowJson = (name: string): SQL => jsonOf(checkouts, name)

export const parseSaleRow = (json: Json) => parseRow(checkouts, json)

type CaseJson = {
  now: Date
  sale: Json | null
  product: ProductAsSold | null
  payments: Json[] | null
  refunds: Json[] | null
  entries: Json[] | null
  order: { id: string; transactionId: string | null } | null
}

function parseCase({ now, sale, product, order, ...rows }: CaseJson): Loaded {
  const kase: Case = {
    sale: sale && product ? { ...parseSaleRow(sale), product } : undefined,
    payments: (rows.payments ?? []).map((one) => parseRow(payments, one)),
    refunds: (rows.refunds ?? []).map((one) => parseRow(refunds, one)),
    entries: (rows.entries ?? []).map((one) => parseRow(reviewEntries, one)),
    order: order ?? undefined,
  }
  return { kase, now: new Date(now), atMs: performance.now() }
}

/** The columns of a case whose sale is `sale` in the statement around them. */
const saleCaseColumns = sql`date_trunc('milliseconds', now()) as now, ${saleRowJson('sale')} as sale,
  (select product from shown_products where version = sale.shown_version) as product,
  (select jsonb_agg(${jsonOf(payments, 'paid')} order by paid.found_at, paid.transaction_id)
    from payments as paid where paid.sale_id = sale.id) as payments,
  (select jsonb_agg(${jsonOf(refunds, 'refund')} order by refund.asked_at) from refunds as refund
    join payments as paid on paid.id = refund.payment_id where paid.sale_id = sale.id) as refunds,
  (select jsonb_agg(${jsonOf(reviewEntries, 'entry')}) from review_entries as entry
    where entry.sale_id = sale.id) as entries,
  (select jsonb_build_object('id', placed.id, 'transactionId', placed.sumup_transaction_id)
    from orders as placed where placed.sumup_checkout_id = sale.sumup_checkout_id) as "order"`

const ofSale = (condition: SQL) =>
  writeStatement(sql`select ${saleCaseColumns} from checkouts as sale where ${condition}`)
const byId = ofSale(sql`sale.id = ${placeholder('id')}::uuid`)
const bySumupId = ofSale(sql`sale.sumup_checkout_id = ${placeholder('id')}`)

/** The columns of a payment without a sale, which is a case of its own. */
const paymentCaseColumns = sql`date_trunc('milliseconds', now()) as now, null::jsonb as sale, null::jsonb as product,
  jsonb_build_array(${jsonOf(payments, 'paid')}) as payments,
  (select jsonb_agg(${jsonOf(refunds, 'refund')} order by refund.asked_at) from refunds as refund
    where refund.payment_id = paid.id) as refunds,
  (select jsonb_agg(${jsonOf(reviewEntries, 'entry')}) from review_entries as entry
    where entry.id = paid.id) as entries,
  (select jsonb_build_object('id', placed.id, 'transactionId', placed.sumup_transaction_id)
    from orders as placed where placed.sumup_transaction_id = paid.transaction_id) as "order"`
const byPaymentId = writeStatement(sql`select ${paymentCaseColumns} from payments as paid
  where paid.id = ${placeholder('id')}::uuid and paid.sale_id is null`)

async function read(db: Db, statement: Statement, id: string): Promise<Loaded | undefined> {
  const [found] = await runStatement<CaseJson>(db, statement, { id })
  return found && parseCase(found)
}

function asSale(loaded: Loaded | undefined): Loaded<SaleCase> | undefined {
  return loaded && isSaleCase(loaded.kase) ? { ...loaded, kase: loaded.kase } : undefined
}

/** The case of a sale. */
export async function findSale(db: Db, id: string): Promise<Loaded<SaleCase> | undefined> {
  return asSale(await read(db, byId, id))
}

export async function findBySumupId(
  db: Db,
  sumupCheckoutId: string,
): Promise<Loaded<SaleCase> | undefined> {
  return asSale(await read(db, bySumupId, sumupCheckoutId))
}

/** The case of a sale, or of a payment that has none. */
export async function findCase(db: Db, id: string): Promise<Loaded | undefined> {
  return (await findSale(db, id)) ?? read(db, byPaymentId, id)
}

/** Cases of several sales. */
export async function listSaleCases(db: Db, condition: SQL): Promise<Loaded<SaleCase>[]> {
  const { rows } = await db.execute<CaseJson>(
    sql`select ${saleCaseColumns} from checkouts as sale where ${condition}`,
  )
  return rows.flatMap((row) => asSale(parseCase(row)) ?? [])
}

/** The id of the case that a review entry belongs to. */
export async function findCaseOfEntry(db: Db, entryId: string): Promise<string | undefined> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select coalesce(sale_id, payment_id)::text as id from review_entries where id = ${entryId}::uuid`)
  return rows[0]?.id
}

/** Cases of sales, and of payments without one, by these ids. */
export async function findCases(db: Db, ids: string[]): Promise<Map<string, Loaded>> {
  const wanted = sql`any(${sql.param([...new Set(ids)])}::uuid[])`
  const { rows } = await db.execute<CaseJson>(sql`
    select ${saleCaseColumns} from checkouts as sale where sale.id = ${wanted}
    union all select ${paymentCaseColumns} from payments as paid where paid.id = ${wanted} and paid.sale_id is null`)
  const cases = rows.map(parseCase)
  return new Map(cases.map((one) => [one.kase.sale?.id ?? one.kase.payments[0]?.id ?? '', one]))
}

export async function listPayments(db: Db, condition: SQL): Promise<Payment[]> {
  const { rows } = await db.execute<{ payment: Json }>(
    sql`select ${jsonOf(payments, 'paid')} as payment from payments as paid where ${condition}`,
  )
  return rows.map(({ payment }) => parseRow(payments, payment))
}

/** The database's time. */
export async function readClock(db: Db): Promise<Date> {
  const { rows } = await db.execute<{ now: string }>(sql`select now()::text as now`)
  return new Date(rows[0]?.now ?? 0)
}
