import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { ReviewEntry } from '#contract/checkouts.ts'
import { defaultMethods, otherMethodIds } from '#contract/payment-methods.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import type { FaultRule } from '#sandbox/faults.ts'
import { compareWithHistory } from '#server/checkouts/compare.ts'
import { expediteOtherAccounts } from '#server/checkouts/ledger.ts'
import { sweep } from '#server/checkouts/sales.ts'
import { getTableColumns, sql } from '#server/db/drizzle.ts'
import { payments, refunds, reviewEntries } from '#server/db/payment-schema.ts'
import { checkouts } from '#server/db/schema.ts'
import { addMug, createBuyer, delivery, type Buyer } from '#server/testing/buyer.ts'
import { addCode, changeConfig } from '#server/testing/prices.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { countries, modelCode, openPrices, type Wish } from './prices.ts'
import { createSumupControl } from './sumup-control.ts'

export type ModelShop = Awaited<ReturnType<typeof openModelShop>>

/** One real shop for all scenarios, with a database and the SumUp sandbox. */
export async function openModelShop() {
  const shop = await openTestShop({ environment: { TRUST_PROXY: '1' } })
  changeConfig(shop, { methods: { ...defaultMethods, otherMethods: otherMethodIds } })
  await addCode(shop, modelCode)
  const { payments, log, secret } = shop.shop
  const sumupControl = createSumupControl(payments.sumup)
  const deps = { db: shop.db, sumup: payments.sumup, log, secret }
  return { ...shop, deps, sumupControl, mug: await addMug(shop), owner: await shop.signIn() }
}

/** One buyer's browser. */
export type Session = {
  browser: Buyer
  /** The current form, and all that they were given. */
  checkoutId: string
  forms: Set<string>
  /** What the current form was opened for. */
  wish: Wish
}

export type Scenario = Awaited<ReturnType<typeof beginScenario>>
export type Rule = Pick<FaultRule, 'on' | 'kind'> & Partial<FaultRule>

/** A call that may have to wait for a held one is left alone after this time. */
const heldCallMs = 100
const firstWish: Wish = { country: countries[0] }
/** Whose times are moved when time passes. */
const agingTables = [checkouts, payments, refunds, reviewEntries]
let scenarioCount = 0

/** Each scenario starts with empty tables and its own SumUp accounts. */
export async function beginScenario(shop: ModelShop) {
  const { db, sumupControl, sandbox, mug, deps } = shop
  scenarioCount += 1
  const accounts = ['first', 'second'].map((name) => ({
    apiUrl: sandbox.url,
    apiKey: `sup_sk_${name}_${scenarioCount}`,
    merchantCode: `M${scenarioCount}${name}`,
  }))
  for (const { apiKey, merchantCode: code } of accounts)
    sandbox.controls.addAccount({ apiKey, merchant: { code } })
  const [firstAccount, secondAccount] = accounts
  if (!firstAccount || !secondAccount) throw new Error('no accounts')
  sumupControl.reset()
  sumupControl.useAccount(firstAccount)
  sandbox.controls.reset({})
  await db.execute(
    sql`truncate order_timeline, mails, orders, checkouts, payments, refunds, review_entries, rate_limits cascade`,
  )
  let passedMs = 0
  const { show, ...prices } = await openPrices(shop)
  const knownAtSumup = new Set(sandbox.ledger().checkouts.map(({ id }) => id))
  const serverErrors: string[] = []
  const sessions: Session[] = [1, 2, 3].map((number) => ({
    browser: createBuyer(shop, `203.0.113.${number}`),
    checkoutId: '',
    forms: new Set(),
    wish: firstWish,
  }))
  /** What was shown and wished on each form, and the orders that were confirmed, as the buyers saw them. */
  const offers = new Map<string, { amount: string; wish: Wish }>()
  const confirmedOrders: { checkoutId: string; orderId: string }[] = []
  /** Checkouts about which SumUp answered strangely, and those about which it answered wrongly. */
  const unreliable = new Set<string>()
  const misreported = new Set<string>()
  /** Checkouts whose rows were lost, and payments that were refunded before there was an order. */
  const lostCheckouts = new Set<string>()
  const refundedBeforeOrder = new Set<string>()
  const pendingCalls = new Set<Promise<unknown>>()

  /** Only those of this scenario: the sandbox keeps all. */
  const listAtSumup = () => sandbox.ledger().checkouts.filter(({ id }) => !knownAtSumup.has(id))

  /** No second form while a payment of the same browser is pending, unknown to the shop, or in review. */
  async function checkOnlyForm({ forms, checkoutId }: Session): Promise<void> {
    // A held call may end at any moment, so that rows and SumUp are not of one time.
    if (pendingCalls.size > 0) return
    const rows = await db.select().from(checkouts)
    for (const { id, transactions } of listAtSumup()) {
      const row = rows.find(({ sumupCheckoutId }) => sumupCheckoutId === id)
      if (id === checkoutId || !forms.has(id) || !row?.details) continue
      const isAtBank = transactions.some(({ status }) => status === 'PENDING')
      assert.ok(!isAtBank, 'another form while a card is at the bank')
      assert.notEqual(row.state, 'review', 'another form while a payment is in review')
      const isDecided = ['paid', 'refunded', 'dismissed'].includes(row.state)
      const isUnknown = !isDecided && transactions.some(isKeptPayment)
      assert.ok(!isUnknown, 'another form while a payment is not recorded yet')
    }
  }

  /** What the page says about a payment must be true, unless SumUp answered strangely about it. */
  function checkClaim(checkoutId: string, answer: { state?: unknown; code?: unknown }): void {
    if (unreliable.has(checkoutId) || pendingCalls.size > 0) return
    const seen = listAtSumup().find(({ id }) => id === checkoutId)
    // The former account cannot be asked any more; checkouts without details are closed.
    if (seen?.merchantCode !== deps.sumup.merchantCode) return
    const open = seen.transactions.filter((one) => one.status === 'PENDING' || isKeptPayment(one))
    const isOver = answer.state === 'closed' || answer.code === 'checkout-expired'
    if (isOver) assert.equal(open.length, 0, 'told that nothing was charged')
    if (answer.state === 'declined' || answer.code === 'payment-declined') {
      assert.equal(open.length, 0, 'told that the card was declined')
      assert.ok(seen.transactions.some(({ status }) => status === 'FAILED'))
    }
  }

  function checkStatus<Answer extends { statusCode: number; body: string }>(
    answer: Answer,
  ): Answer {
    const { statusCode, body } = answer
    if (statusCode >= 500 && statusCode !== 503) serverErrors.push(`${statusCode} ${body}`)
    return answer
  }

  return {
    shop,
    sessions,
    offers,
    confirmedOrders,
    unreliable,
    misreported,
    lostCheckouts,
    refundedBeforeOrder,
    serverErrors,
    ...prices,
    listAtSumup,
    merchantCode: () => deps.sumup.merchantCode,
    hasPendingCalls: () => pendingCalls.size > 0,

    async open(session: Session, wish = firstWish): Promise<void> {
      const amount = show(wish)
      if (amount === undefined) return
      const answer = checkStatus(await session.browser.open(mug, amount, 'EUR', wish))
      if (answer.statusCode !== 200) return
      const { checkoutId } = answer.json()
      session.checkoutId = checkoutId
      session.wish = wish
      session.forms.add(checkoutId)
      assert.equal(offers.get(checkoutId)?.amount ?? amount, amount, 'one form at two prices')
      offers.set(checkoutId, { amount, wish })
      await checkOnlyForm(session)
    },

    async saveDetails({ browser, checkoutId, wish }: Session, formId = ''): Promise<boolean> {
      const details = { ...detailsFor(wish), formId }
      return checkStatus(await browser.saveDetails(checkoutId, details)).statusCode === 204
    },

    async startOver({ browser, checkoutId }: Session): Promise<void> {
      checkStatus(await browser.call('POST', pathOf(apiRoutes.startOver, { checkoutId })))
    },

    async readCheckout({ browser, checkoutId }: Session): Promise<void> {
      checkClaim(checkoutId, checkStatus(await browser.look(checkoutId)).json())
    },

    async order({ browser, checkoutId, wish }: Session): Promise<void> {
      const answer = checkStatus(await browser.order(checkoutId, detailsFor(wish)))
      if (answer.statusCode === 200 || answer.statusCode === 201)
        confirmedOrders.push({ checkoutId, orderId: answer.json().id })
      else checkClaim(checkoutId, answer.json())
    },

    /** Makes everything due that the sweep would check some day. */
    async sweep(): Promise<void> {
      await db
        .update(checkouts)
        .set({ nextCheckAt: sql`now()` })
        .where(sql`next_check_at is not null`)
      await db
        .update(payments)
        .set({ nextReadAt: sql`now()` })
        .where(sql`next_read_at is not null`)
      await sweep(deps)
    },

    /** Undefined if SumUp does not answer; the shop would compare again. */
    compare: () => compareWithHistory({ ...deps, retryDelaysMs: [] }).catch(() => undefined),

    async changeAccount(): Promise<void> {
      const isFirst = deps.sumup.merchantCode === firstAccount.merchantCode
      sumupControl.useAccount(isFirst ? secondAccount : firstAccount)
      await expediteOtherAccounts(db, deps.sumup.merchantCode, deps.sumup.findMode())
    },

    /** Moves the shop's and SumUp's data into the past. Held answers and lags end. */
    async advanceTime(ms: number): Promise<void> {
      await releaseAnswers()
      sandbox.controls.release({})
      sumupControl.advanceTime(ms)
      passedMs += ms
      const interval = sql`make_interval(secs => ${ms / 1000})`
      for (const table of agingTables) {
        const shifted = Object.values(getTableColumns(table))
          .filter(({ columnType }) => columnType === 'PgTimestamp')
          .map((column) => sql`${sql.identifier(column.name)} = ${column} - ${interval}`)
        await db.execute(sql`update ${table} set ${sql.join(shifted, sql`, `)}`)
      }
      for (const { id, validUntil, status } of listAtSumup())
        if (status !== 'PAID' && validUntil !== null && validUntil - passedMs < Date.now())
          sandbox.controls.expire({ checkout: id })
    },

    /** Adds a fault rule. */
    addFault(rule: Rule): void {
      const left = sandbox.faults.report().rules.flatMap(({ happened, count, ...known }) => {
        if (count === undefined) return [known]
        return count > happened ? [{ ...known, count: count - happened }] : []
      })
      sandbox.faults.set({ rules: [...left, rule] })
    },

    /** Payments that the owner has to decide about, or has decided about. */
    async listReviews(isArchive: boolean): Promise<ReviewEntry[]> {
      const url = `${apiRoutes.review}?archive=${isArchive}`
      return (await shop.app.inject({ method: 'GET', url, headers: shop.owner })).json()
    },

    /** The owner decides about an entry as it was listed. */
    async decide(call: string, { id, version }: ReviewEntry, given: object = {}): Promise<void> {
      const url = pathOf(call, { id })
      const payload = { version, ...given }
      checkStatus(await shop.app.inject({ method: 'POST', url, headers: shop.owner, payload }))
    },

    /** Starts a call and holds back SumUp's answer until `releaseAnswers`. */
    async startHeld(call: () => Promise<unknown>): Promise<void> {
      const mayWait = pendingCalls.size > 0
      const held = sumupControl.hold()
      const calling = call()
      addPending(calling)
      await Promise.race([calling, held, ...(mayWait ? [delay(heldCallMs)] : [])])
      sumupControl.stopHolding()
    },

    /** Runs a call; while others are held it may have to wait for them. */
    async run(calling: Promise<unknown>): Promise<void> {
      if (pendingCalls.size === 0) return void (await calling)
      addPending(calling)
      await Promise.race([calling, delay(heldCallMs)])
    },

    releaseAnswers,
  }

  function addPending(calling: Promise<unknown>): void {
    pendingCalls.add(calling)
    // One that fails stays, and is reported by releaseAnswers.
    calling.then(
      () => pendingCalls.delete(calling),
      () => undefined,
    )
  }

  async function releaseAnswers(): Promise<void> {
    sumupControl.release()
    await Promise.all(pendingCalls)
  }
}

/** What a buyer types; the address of what is picked up is the shop's own. */
function detailsFor({ country = countries[0], isPickup }: Wish) {
  const shippingAddress = { ...delivery.shippingAddress, country }
  return { ...delivery, shippingAddress, ...(isPickup && { isPickup }) }
}

type Returned = { amountMinor: number }[]
type Paid = { status: string; amountMinor: number; refunds: Returned; chargebacks?: Returned }

export function sumMinor(returned: Returned = []): number {
  return returned.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
}

/** Money that was taken, and of which something is left. */
export function isKeptPayment({ status, amountMinor, refunds, chargebacks }: Paid): boolean {
  const isTaken = status === 'SUCCESSFUL' || status === 'REFUNDED'
  return isTaken && sumMinor(refunds) + sumMinor(chargebacks) < amountMinor
}
