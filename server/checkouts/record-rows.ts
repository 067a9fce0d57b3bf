import type { ProductAsSold } from '#contract/orders.ts'
import type { Db } from '#server/db/database.ts'
import { getTableColumns, sql, type SQL } from '#server/db/drizzle.ts'
import { payments, refunds, reviewEntries } from '#server/db/payment-schema.ts'
import { prepareQuery } from '#server/db/prepared.ts'
import { checkouts } from '#server/db/schema.ts'
import {
  hasSale,
  type SaleRecord,
  type Loaded,
  type Payment,
  type RecordWithSale,
} from '#server/payments/record.ts'

/* How records are read: a sale, its payments, their refunds, its questions and its order, in one statement that sees one moment. */

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

type Json = Record<string, unknown>

/** The row of a sale that is called `name` in the statement around it, without its product. */
const saleRowJson = (name: string): SQL => jsonOf(checkouts, name)

const parseSaleRow = (json: Json) => parseRow(checkouts, json)

type RecordJson = {
  now: Date
  sale: Json | null
  product: ProductAsSold | null
  payments: Json[] | null
  refunds: Json[] | null
  questions: Json[] | null
  order: { id: string; transactionId: string | null } | null
}

function parseRecord({ now, sale, product, order, ...rows }: RecordJson): Loaded {
  const record: SaleRecord = {
    sale: sale && product ? { ...parseSaleRow(sale), product } : undefined,
    payments: (rows.payments ?? []).map((one) => parseRow(payments, one)),
    refunds: (rows.refunds ?? []).map((one) => parseRow(refunds, one)),
    questions: (rows.questions ?? []).map((one) => parseRow(reviewEntries, one)),
    order: order ?? undefined,
  }
  return { record, now: new Date(now), atMs: performance.now() }
}

/** A sale's record; its row is called `sale`. */
const saleRecord = {
  now: sql<Date>`date_trunc('milliseconds', now())`,
  sale: sql<Json | null>`${saleRowJson('sale')}`,
  product: sql<ProductAsSold | null>`(select product from shown_products where version = sale.shown_version)`,
  payments: sql<
    Json[] | null
  >`(select jsonb_agg(${jsonOf(payments, 'paid')} order by paid.found_at, paid.transaction_id)
    from payments as paid where paid.sale_id = sale.id)`,
  refunds: sql<
    Json[] | null
  >`(select jsonb_agg(${jsonOf(refunds, 'refund')} order by refund.asked_at) from refunds as refund
    join payments as paid on paid.id = refund.payment_id where paid.sale_id = sale.id)`,
  questions: sql<
    Json[] | null
  >`(select jsonb_agg(${jsonOf(reviewEntries, 'question')}) from review_entries as question
    where question.sale_id = sale.id)`,
  order: sql<RecordJson['order']>`(
    select jsonb_build_object('id', placed.id, 'transactionId', placed.sumup_transaction_id)
    from orders as placed where placed.sumup_checkout_id = sale.sumup_checkout_id)`,
}

/** A payment without a sale, which is a record of its own; its row is called `paid`. */
const paymentRecord: typeof saleRecord = {
  now: saleRecord.now,
  sale: sql`null::jsonb`,
  product: sql`null::jsonb`,
  payments: sql`jsonb_build_array(${jsonOf(payments, 'paid')})`,
  refunds: sql`(select jsonb_agg(${jsonOf(refunds, 'refund')} order by refund.asked_at) from refunds as refund
    where refund.payment_id = paid.id)`,
  questions: sql`(select jsonb_agg(${jsonOf(reviewEntries, 'question')}) from review_entries as question
    where question.id = paid.id)`,
  order: sql`(select jsonb_build_object('id', placed.id, 'transactionId', placed.sumup_transaction_id)
    from orders as placed where placed.sumup_transaction_id = paid.transaction_id)`,
}

const selectSales = (db: Db, condition: SQL) =>
  db
    .select(saleRecord)
    .from(sql`checkouts as sale`)
    .where(condition)

const selectPayments = (db: Db, condition: SQL) =>
  db
    .select(paymentRecord)
    .from(sql`payments as paid`)
    .where(sql`${condition} and paid.sale_id is null`)

const { placeholder } = sql
const saleById = prepareQuery('record_of_sale', (db) =>
  selectSales(db, sql`sale.id = ${placeholder('id')}`),
)
const saleBySumupId = prepareQuery('record_by_sumup_id', (db) =>
  selectSales(db, sql`sale.sumup_checkout_id = ${placeholder('id')}`),
)

function asSale(loaded: Loaded | undefined): Loaded<RecordWithSale> | undefined {
  return loaded && hasSale(loaded.record) ? { ...loaded, record: loaded.record } : undefined
}

/** The record of a sale. */
export async function findSale(db: Db, id: string): Promise<Loaded<RecordWithSale> | undefined> {
  const [found] = await saleById(db, { id })
  return asSale(found && parseRecord(found))
}

export async function findBySumupId(
  db: Db,
  sumupCheckoutId: string,
): Promise<Loaded<RecordWithSale> | undefined> {
  const [found] = await saleBySumupId(db, { id: sumupCheckoutId })
  return asSale(found && parseRecord(found))
}

/** The record of a sale, or of a payment that has none. */
export async function findRecord(db: Db, id: string): Promise<Loaded | undefined> {
  const sale = await findSale(db, id)
  if (sale) return sale
  const [found] = await selectPayments(db, sql`paid.id = ${id}`)
  return found && parseRecord(found)
}

/** Records of several sales. */
export async function listSaleRecords(db: Db, condition: SQL): Promise<Loaded<RecordWithSale>[]> {
  const rows = await selectSales(db, condition)
  return rows.flatMap((row) => asSale(parseRecord(row)) ?? [])
}

/** The id of the record that a question belongs to. */
export async function findRecordOfQuestion(
  db: Db,
  questionId: string,
): Promise<string | undefined> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select coalesce(sale_id, payment_id)::text as id from review_entries where id = ${questionId}::uuid`)
  return rows[0]?.id
}

/** Records of sales, and of payments without one, by these ids. */
export async function findRecords(db: Db, ids: string[]): Promise<Map<string, Loaded>> {
  const wanted = sql`any(${sql.param([...new Set(ids)])}::uuid[])`
  const sales = await selectSales(db, sql`sale.id = ${wanted}`)
  const records = [...sales, ...(await selectPayments(db, sql`paid.id = ${wanted}`))].map(
    parseRecord,
  )
  return new Map(
    records.map((one) => [one.record.sale?.id ?? one.record.payments[0]?.id ?? '', one]),
  )
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
