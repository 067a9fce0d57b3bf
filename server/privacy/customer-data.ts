import { isDeepStrictEqual } from 'node:util'
import type { CustomerData, CustomerEvent, ErasedCustomer } from '#contract/customers.ts'
import { nameWithValue, soldProduct, type Address } from '#contract/orders.ts'
import { Refusal } from '#contract/refusals.ts'
import { isUnfinished, type Sale } from '#server/payments/record.ts'
import { erasePersonalData } from '#server/checkouts/ledger.ts'
import { analyticsEvents } from '#server/db/analytics-schema.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import { asc, eq, getTableColumns, inArray, or, sql, type SQL } from '#server/db/drizzle.ts'
import { orderNotes, withdrawals } from '#server/db/order-schema.ts'
import { payments, reviewEntries } from '#server/db/payment-schema.ts'
import { checkouts, mails, orders, shownProducts, type OrderRow } from '#server/db/schema.ts'
import { recordAudit, type Actor } from '#server/http/audit.ts'
import { deleteMailFiles } from '#server/mail/transport.ts'
import { listAdminOrders } from '#server/orders/orders.ts'
import { listEvents } from '#server/orders/timeline.ts'
import { isOpenWithdrawal } from '#server/orders/withdrawals.ts'

/** All that is stored about one customer, found by e-mail address: to hand it over, or to erase it. */

type Found = {
  orders: OrderRow[]
  checkouts: Sale[]
  payments: (typeof payments.$inferSelect)[]
  reviews: (typeof reviewEntries.$inferSelect)[]
  withdrawals: (typeof withdrawals.$inferSelect)[]
}

/** Refuses if there is nothing. Inside an erasure the rows are locked, so that nothing is decided about them meanwhile. */
async function findCustomer(db: Db, email: string, isLocking = false): Promise<Found> {
  type Lockable = { for: (mode: 'update', of?: { of: typeof checkouts }) => unknown }
  const lock = <Query extends Lockable>(query: Query, of?: { of: typeof checkouts }): Query =>
    isLocking ? (query.for('update', of) as Query) : query
  const selectOrders = () =>
    db
      .select()
      .from(orders)
      .where(sql`lower(${orders.customerEmail}) = lower(${email})`)
      .orderBy(asc(orders.createdAt))
      .$dynamic()
  const known = await selectOrders()
  const paidIds = known.flatMap(({ sumupCheckoutId }) => sumupCheckoutId ?? [])
  // Not where an admin has corrected the address since: that sale is somebody else's.
  const typed = sql`${checkouts.details} is not null
    and lower(${checkouts.details}->>'customerEmail') = lower(${email})
    and not exists (select from orders where orders.sumup_checkout_id = ${checkouts.sumupCheckoutId}
      and lower(orders.customer_email) <> lower(${email}))`
  const sales = await lock(
    db
      .select({ ...getTableColumns(checkouts), product: shownProducts.product })
      .from(checkouts)
      .innerJoin(shownProducts, eq(shownProducts.version, checkouts.shownVersion))
      .where(or(typed, isAnyOf(sql`${checkouts.sumupCheckoutId}`, paidIds)))
      .orderBy(asc(checkouts.createdAt))
      .$dynamic(),
    { of: checkouts },
  )
  const saleIds = sales.map(({ id }) => id)
  const transactionIds = known.flatMap(({ sumupTransactionId }) => sumupTransactionId ?? [])
  const paid = await lock(
    db
      .select()
      .from(payments)
      .where(
        or(
          isAnyOf(sql`${payments.transactionId}`, transactionIds),
          isAnyUuidOf(sql`${payments.saleId}`, saleIds),
        ),
      )
      .orderBy(asc(payments.foundAt))
      .$dynamic(),
  )
  const paymentIds = paid.map(({ id }) => id)
  const reviews = await lock(
    db
      .select()
      .from(reviewEntries)
      .where(
        or(
          isAnyUuidOf(sql`${reviewEntries.saleId}`, saleIds),
          isAnyUuidOf(sql`${reviewEntries.id}`, [...saleIds, ...paymentIds]),
        ),
      )
      .orderBy(asc(reviewEntries.openedAt))
      .$dynamic(),
  )
  // Orders after the sales and payments: in this order decisions lock them (server/checkouts/write-record.ts).
  const ofCustomer = isLocking ? await lock(selectOrders()) : known
  // An order was placed, or its address corrected meanwhile.
  if (!isDeepStrictEqual(idsOf(ofCustomer), idsOf(known))) return findCustomer(db, email, isLocking)
  const orderIds = idsOf(ofCustomer)
  const stated = await lock(
    db
      .select()
      .from(withdrawals)
      .where(
        or(
          sql`lower(${withdrawals.email}) = lower(${email})`,
          isAnyUuidOf(sql`${withdrawals.orderId}`, orderIds),
        ),
      )
      .orderBy(asc(withdrawals.createdAt))
      .$dynamic(),
  )
  const isFound = ofCustomer.length + sales.length + stated.length > 0
  if (!isFound && !(await isInCorrections(db, email))) throw new Refusal('customer-missing')
  return { orders: ofCustomer, checkouts: sales, payments: paid, reviews, withdrawals: stated }
}

const idsOf = (found: OrderRow[]) => found.map(({ id }) => id)

function isAnyOf(column: SQL, values: string[]): SQL {
  return sql`${column} = any(${sql.param(values)}::text[])`
}

function isAnyUuidOf(column: SQL, ids: string[]): SQL {
  return sql`${column} = any(${sql.param(ids)}::uuid[])`
}

export async function exportCustomer(db: Db, email: string): Promise<CustomerData> {
  const found = await findCustomer(db, email)
  const ids = found.orders.map(({ id }) => id)
  const shown = await listAdminOrders(db, ids)
  const saleIds = found.checkouts.map(({ id }) => id)
  const sent = await db
    .select()
    .from(mails)
    .where(or(isAnyUuidOf(sql`${mails.orderId}`, ids), isAnyUuidOf(sql`${mails.saleId}`, saleIds)))
  const written = await db
    .select()
    .from(orderNotes)
    .where(isAnyUuidOf(sql`${orderNotes.orderId}`, ids))
    .orderBy(asc(orderNotes.createdAt))
  const seen =
    ids.length > 0
      ? await db.select().from(analyticsEvents).where(inArray(analyticsEvents.orderId, ids))
      : []
  return {
    email,
    exportedAt: new Date().toISOString(),
    orders: await Promise.all(
      shown.map(async (order) => ({
        ...order,
        timeline: await listTimeline(db, order.id),
        notes: written.filter(({ orderId }) => orderId === order.id).map(showNote),
        mails: sent.filter(({ orderId }) => orderId === order.id).map(showMail),
        events: seen.filter(({ orderId }) => orderId === order.id).map(showEvent),
      })),
    ),
    checkouts: found.checkouts.map((sale) => ({
      ...showSale(sale),
      mails: sent.filter(({ saleId }) => saleId === sale.id).map(showMail),
    })),
    payments: found.payments.map(showPayment),
    reviews: found.reviews.map(showReview),
    withdrawals: found.withdrawals.map(showWithdrawal),
    consents: shown.flatMap(({ id, acceptsNewsAt }) =>
      acceptsNewsAt ? [{ orderId: id, newsAndOffersAt: acceptsNewsAt }] : [],
    ),
  }
}

/** Without the names of admins, and without the mails, which have a list of their own. */
async function listTimeline(db: Db, orderId: string) {
  const events = await listEvents(db, orderId)
  return events
    .filter(({ event }) => event !== 'mail')
    .map(({ who: _admin, mail: _none, ...event }) => event)
}

/** What is stored about a person is theirs to read, whoever wrote it for whom. */
function showNote({ createdAt, text }: typeof orderNotes.$inferSelect) {
  return { at: createdAt.toISOString(), text }
}

function showMail({ kind, createdAt, sentAt, givenUpAt, lastError }: typeof mails.$inferSelect) {
  return {
    kind,
    createdAt: createdAt.toISOString(),
    // What is only kept as a file, or has no recipient, was not sent.
    sentAt: sentAt && lastError === null ? sentAt.toISOString() : null,
    givenUpAt: givenUpAt?.toISOString() ?? null,
  }
}

function showEvent(row: typeof analyticsEvents.$inferSelect): CustomerEvent {
  const { eventType, createdAt, visitorIp, country, city, deviceType, browser, os, referrer } = row
  const at = createdAt.toISOString()
  const visitor = { address: visitorIp, country, city, device: deviceType, browser, os, referrer }
  return { type: eventType, at, ...visitor }
}

function showSale(row: Found['checkouts'][number]) {
  const { id, amount, currency, state, details } = row
  return {
    id,
    createdAt: row.createdAt.toISOString(),
    product: nameWithValue(soldProduct(row)),
    amount,
    currency,
    state,
    details,
    visitor: row.visitor?.facts ?? null,
  }
}

function showPayment(row: Found['payments'][number]): CustomerData['payments'][number] {
  const { status, amount, currency, transactionCode, refunded, chargedBack } = row
  return {
    status,
    amount,
    currency,
    transactionCode,
    madeAt: row.madeAt?.toISOString() ?? null,
    refundedAmount: refunded,
    chargedBackAmount: chargedBack,
  }
}

function showReview(row: Found['reviews'][number]): CustomerData['reviews'][number] {
  const { reason, state, note } = row
  return {
    reason,
    state,
    openedAt: row.openedAt.toISOString(),
    handledAt: row.handledAt?.toISOString() ?? null,
    note,
  }
}

function showWithdrawal(row: Found['withdrawals'][number]): CustomerData['withdrawals'][number] {
  const { orderId, name, orderNumber, email, language, note } = row
  return {
    statedAt: row.createdAt.toISOString(),
    orderId,
    name,
    orderNumber,
    email,
    language,
    handledAt: row.handledAt?.toISOString() ?? null,
    note,
  }
}

/** Stands where a name was. */
const erasedName = 'Erased'

/**
 * Erases a customer everywhere, in one transaction. Orders keep what book-keeping needs: number, date, product, amount, country
 * and payment. Refuses while something is still to be delivered or decided.
 */
export async function eraseCustomer(
  { db, config }: { db: Db; config: Pick<Config, 'dataDir' | 'databaseUrl'> },
  email: string,
  actor: Actor,
): Promise<ErasedCustomer> {
  const { dataDir, databaseUrl } = config
  const { found, mailIds } = await db.transaction(async (tx) => {
    const found = await findCustomer(tx, email, true)
    assertErasable(found)
    await assertWithdrawalsHandled(tx, found)
    const detail = { orders: found.orders.length, checkouts: found.checkouts.length }
    await recordAudit(tx, actor, { action: 'customer-erased', detail })
    return {
      found,
      mailIds: await eraseRows(tx, found, { email, actor: actor.admin?.id ?? 'shop' }),
    }
  })
  await deleteMailFiles(dataDir, { ids: mailIds })
  return {
    orders: found.orders.map((order) => ({
      id: order.id,
      createdAt: order.createdAt.toISOString(),
      product: nameWithValue(order.product),
      amount: order.amount,
      currency: order.currency,
      country: order.shippingAddress.country,
      sumupTransactionId: order.sumupTransactionId,
    })),
    checkouts: found.checkouts.length,
    remains: describeRemains(found.orders.length, databaseUrl !== undefined),
  }
}

function assertErasable(found: Found): void {
  const isOpen = ({ status }: OrderRow) => status === 'pending' || status === 'processing'
  const openOrder = found.orders.find(isOpen)
  if (openOrder) throw new Refusal('customer-order-open', { facts: { orderId: openOrder.id } })
  const isInReview =
    found.checkouts.some(({ state }) => state === 'review') ||
    found.reviews.some(({ state }) => state === 'open')
  if (isInReview) throw new Refusal('customer-in-review')
  // A closed sale that is due was named by SumUp: it may have been paid.
  const isUnderWay = found.checkouts.some(
    (row) => isUnfinished(row) || (row.state === 'closed' && row.nextCheckAt !== null),
  )
  if (isUnderWay) throw new Refusal('customer-card-under-way')
}

/** Until then the owner needs the name and the address, and owes the money. */
async function assertWithdrawalsHandled(tx: Db, found: Found): Promise<void> {
  // Anybody can make up a statement that fits no order.
  const orderIds = found.orders.map(({ id }) => id)
  const { rows } = await tx.execute(sql`
    select from withdrawals
    where ${isAnyUuidOf(sql`order_id`, orderIds)} and ${isOpenWithdrawal} limit 1`)
  if (rows.length > 0) throw new Refusal('customer-withdrawal-open')
}

/** Returns the ids of the customer's mails. */
async function eraseRows(
  tx: Db,
  found: Found,
  { email, actor }: { email: string; actor: string },
): Promise<string[]> {
  const ids = found.orders.map(({ id }) => id)
  const saleIds = found.checkouts.map(({ id }) => id)
  for (const { id, shippingAddress, billingAddress } of found.orders) {
    // The text that a search looks through is computed from these.
    await tx
      .update(orders)
      .set({
        customerEmail: null,
        customerPhone: null,
        customerName: erasedName,
        shippingAddress: eraseAddress(shippingAddress),
        billingAddress: billingAddress && eraseAddress(billingAddress),
        shipment: null,
        acceptsNewsAt: null,
        buyerNote: null,
        erasedAt: sql`now()`,
        updatedAt: sql`now()`,
      })
      .where(sql`${orders.id} = ${id}`)
  }
  await erasePersonalData(
    tx,
    ['details', 'visitor', 'address_key', 'buyer_token_hash'],
    isAnyOf(sql`id::text`, saleIds),
  )
  await tx.execute(sql`delete from order_notes where ${isAnyUuidOf(sql`order_id`, ids)}`)
  await tx.execute(sql`
    update order_timeline set corrections = null
    where ${isAnyUuidOf(sql`order_id`, ids)} and corrections is not null`)
  await eraseFromCorrections(tx, email)
  // Of a sale whose order an admin has corrected the order has the details of its customer.
  await erasePersonalData(
    tx,
    ['details'],
    sql`details is not null and lower(details->>'customerEmail') = lower(${email})`,
  )
  await tx.execute(sql`
    insert into order_timeline (order_id, actor, event)
    select id, ${actor}, 'erased' from unnest(${sql.param(ids)}::uuid[]) as id`)
  const statementIds = found.withdrawals.map(({ id }) => id)
  await tx.execute(sql`
    delete from withdrawals where ${isAnyUuidOf(sql`id`, statementIds)} and order_id is null`)
  await tx.execute(sql`
    update withdrawals set name = ${erasedName}, order_number = '', email = '', note = null
    where ${isAnyUuidOf(sql`id`, statementIds)}`)
  const reviewIds = found.reviews.map(({ id }) => id)
  await tx.execute(
    sql`update review_entries set note = null where ${isAnyUuidOf(sql`id`, reviewIds)}`,
  )
  await tx.execute(sql`
    update analytics_events set visitor_ip = null, city = null, browser = null, os = null
    where order_id = any(${sql.param(ids)}::uuid[])`)
  // A mail about a sale that is not sent yet finds no address any more.
  const { rows } = await tx.execute<{ id: string }>(sql`
    select id from mails
    where ${isAnyUuidOf(sql`order_id`, ids)} or ${isAnyUuidOf(sql`sale_id`, saleIds)}`)
  const acknowledged = found.withdrawals.flatMap(({ mailId }) => mailId ?? [])
  return [...new Set([...rows.map(({ id }) => id), ...acknowledged])]
}

/** An order of somebody else may have been corrected from or to this address. There are few corrections, and an index of them. */
async function eraseFromCorrections(tx: Db, email: string): Promise<void> {
  await tx.execute(sql`update order_timeline set corrections = null where ${hasCorrection(email)}`)
}

async function isInCorrections(db: Db, email: string): Promise<boolean> {
  const { rowCount } = await db.execute(
    sql`select from order_timeline where ${hasCorrection(email)} limit 1`,
  )
  return rowCount !== 0
}

const hasCorrection = (email: string) => sql`corrections is not null and exists (
  select from jsonb_to_recordset(corrections) as one("from" text, "to" text)
  where lower(${email}) in (lower(one."from"), lower(one."to")))`

function eraseAddress({ country }: Address): Address {
  return { country, lastName: erasedName, address: '', city: '', postcode: '' }
}

/** Only a database of its own can have several nodes. Mails are files only where none are sent. */
function describeRemains(orderCount: number, canHaveNodes: boolean): string[] {
  const kept = `${orderCount === 1 ? '1 order stays' : `${orderCount} orders stay`} for the books, without a name or an address: number, date, product, amount, country and SumUp’s payment. The shop never deletes orders; the law of your country says how long you must keep them.`
  return [
    ...(orderCount > 0 ? [kept] : []),
    ...(canHaveNodes
      ? [
          'If the shop runs on several machines without SMTP_URL, delete its mails in DATA_DIR/mail on the others, or wait until they are deleted there after KEEP_MAIL_DAYS.',
        ]
      : []),
    'Not changed from here: mails that were sent, SumUp’s own records (ask SumUp), and your backups, which hold this customer until you delete them.',
  ]
}
