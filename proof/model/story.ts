import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { ReviewEntry } from '#contract/checkouts.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { productSchema } from '#contract/products.ts'
import type { FaultRule } from '#sandbox/faults/fault-rules.ts'
import { changeProduct } from '#server/catalog/products.ts'
import { compareWithHistory } from '#server/checkouts/compare.ts'
import { expediteOtherAccounts } from '#server/checkouts/ledger.ts'
import { sweep } from '#server/checkouts/sales.ts'
import { sql } from '#server/db/drizzle.ts'
import { checkouts } from '#server/db/schema.ts'
import { addMug, createBuyer, delivery, type Buyer } from '#server/testing/buyer.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { makeMoody } from './moody-sumup.ts'

export type ModelShop = Awaited<ReturnType<typeof openModelShop>>

/** One real shop for all stories: its code, its database, SumUp's stand-in. */
export async function openModelShop() {
  const shop = await openTestShop({ environment: { TRUST_PROXY: '1' } })
  const { payments, log, secret } = shop.shop
  const moods = makeMoody(payments.sumup)
  const deps = { db: shop.db, sumup: payments.sumup, log, secret }
  return { ...shop, deps, moods, mug: await addMug(shop), owner: await shop.signIn() }
}

/** One buyer's way through the shop, as far as it has come. */
export type Sale = {
  browser: Buyer
  /** The form in front of them, and all that they were given. */
  checkoutId: string
  forms: Set<string>
}

export type Story = Awaited<ReturnType<typeof beginStory>>
export type Rule = Pick<FaultRule, 'on' | 'kind'> & Partial<FaultRule>

/** Long enough for a call to get as far as the answer it waits for. */
const aMomentMs = 100
const firstPrice = '49.00'
const timeColumns = [
  checkouts.validUntil,
  checkouts.nextCheckAt,
  checkouts.detailsAt,
  checkouts.startedAt,
  checkouts.atBankSince,
  checkouts.unclearSince,
  checkouts.expiredSince,
  checkouts.createdAt,
]
let stories = 0

/** A story plays on empty books and an account of its own, so that what it leaves is its own. */
export async function beginStory(shop: ModelShop) {
  const { db, moods, sandbox, mug, deps } = shop
  stories += 1
  const accounts = ['first', 'second'].map((name) => ({
    apiUrl: sandbox.url,
    apiKey: `sup_sk_${name}_${stories}`,
    merchantCode: `M${stories}${name}`,
  }))
  for (const { apiKey, merchantCode: code } of accounts)
    sandbox.controls.addAccount({ apiKey, merchant: { code } })
  const [firstAccount, secondAccount] = accounts
  if (!firstAccount || !secondAccount) throw new Error('no accounts')
  moods.calm()
  moods.use(firstAccount)
  sandbox.controls.reset({})
  await db.execute(
    sql`truncate order_timeline, mails, orders, checkouts, stray_payments, rate_limits cascade`,
  )
  let price = firstPrice
  let passedMs = 0
  await setPrice(firstPrice)
  const knownAtSumup = new Set(sandbox.ledger().checkouts.map(({ id }) => id))
  const wrongAnswers: string[] = []
  const sales: Sale[] = [1, 2, 3].map((number) => ({
    browser: createBuyer(shop, `203.0.113.${number}`),
    checkoutId: '',
    forms: new Set(),
  }))
  /** What each checkout was offered at, and which orders were answered, by the buyers' own notes. */
  const offers = new Map<string, string>()
  const promises: { checkoutId: string; orderId: string }[] = []
  /** Checkouts of which SumUp told something odd, and those of which it told a lie, for as long as the story lasts. */
  const odd = new Set<string>()
  const liedAbout = new Set<string>()
  /** Checkouts whose rows were lost, and payments that were given back before there was an order. */
  const lost = new Set<string>()
  const refundedFirst = new Set<string>()
  const underWay: Promise<unknown>[] = []

  async function setPrice(next: string): Promise<void> {
    price = next
    const headerLogoUrl = 'https://example.com/logo.png'
    await changeProduct(db, mug, productSchema.parse({ name: 'Mug', price, headerLogoUrl }))
  }

  /** Only what this story had made: the stand-in forgets nothing. */
  const atSumup = () => sandbox.ledger().checkouts.filter(({ id }) => !knownAtSumup.has(id))

  /** No second form while a payment of the same browser is at the bank, unknown to the shop, or in review. */
  async function requireOnlyForm({ forms, checkoutId }: Sale): Promise<void> {
    const rows = await db.select().from(checkouts)
    for (const { id, transactions } of atSumup()) {
      const row = rows.find(({ sumupCheckoutId }) => sumupCheckoutId === id)
      if (id === checkoutId || !forms.has(id) || !row?.details) continue
      const isAtBank = transactions.some(({ status }) => status === 'PENDING')
      assert.ok(!isAtBank, 'another form while a card is at the bank')
      assert.notEqual(row.state, 'review', 'another form while a payment is in review')
      const isUnknown = row.state !== 'paid' && row.handledAt === null && transactions.some(isKept)
      assert.ok(!isUnknown, 'another form while a payment is on its way into the books')
    }
  }

  /** What the page would say of a payment must be true, unless SumUp itself was odd about it. */
  function requireTruth(checkoutId: string, told: { state?: unknown; code?: unknown }): void {
    if (odd.has(checkoutId) || underWay.length > 0) return
    const seen = atSumup().find(({ id }) => id === checkoutId)
    // Nobody can ask the account it was begun under; what had no details there is closed.
    if (seen?.merchantCode !== deps.sumup.merchantCode) return
    const moves = seen.transactions.filter((one) => one.status === 'PENDING' || isKept(one))
    const isOver = told.state === 'closed' || told.code === 'checkout-expired'
    if (isOver) assert.equal(moves.length, 0, 'told that nothing was charged')
    if (told.state === 'declined' || told.code === 'payment-declined') {
      assert.equal(moves.length, 0, 'told that the card was declined')
      assert.ok(seen.transactions.some(({ status }) => status === 'FAILED'))
    }
  }

  function noteAnswer<Answer extends { statusCode: number; body: string }>(answer: Answer): Answer {
    const { statusCode, body } = answer
    if (statusCode >= 500 && statusCode !== 503) wrongAnswers.push(`${statusCode} ${body}`)
    return answer
  }

  return {
    shop,
    sales,
    offers,
    promises,
    odd,
    liedAbout,
    lost,
    refundedFirst,
    wrongAnswers,
    setPrice,
    atSumup,
    merchantCode: () => deps.sumup.merchantCode,
    isWaiting: () => underWay.length > 0,

    async open(sale: Sale): Promise<void> {
      const answer = noteAnswer(await sale.browser.open(mug, price))
      if (answer.statusCode !== 200) return
      const { checkoutId, amount } = answer.json()
      sale.checkoutId = checkoutId
      sale.forms.add(checkoutId)
      if (!offers.has(checkoutId)) offers.set(checkoutId, amount)
      await requireOnlyForm(sale)
    },

    async keepDetails({ browser, checkoutId }: Sale, formId = ''): Promise<boolean> {
      const details = { ...delivery, formId }
      return noteAnswer(await browser.saveDetails(checkoutId, details)).statusCode === 204
    },

    async startOver({ browser, checkoutId }: Sale): Promise<void> {
      noteAnswer(await browser.call('POST', pathOf(apiRoutes.startOver, { checkoutId })))
    },

    async look({ browser, checkoutId }: Sale): Promise<void> {
      requireTruth(checkoutId, noteAnswer(await browser.look(checkoutId)).json())
    },

    async order({ browser, checkoutId }: Sale): Promise<void> {
      const answer = noteAnswer(await browser.order(checkoutId))
      if (answer.statusCode === 200 || answer.statusCode === 201)
        promises.push({ checkoutId, orderId: answer.json().id })
      else requireTruth(checkoutId, answer.json())
    },

    /** What the sweep would look at some day it looks at now; what it would never look at it does not. */
    async sweep(): Promise<void> {
      await db
        .update(checkouts)
        .set({ nextCheckAt: sql`now()` })
        .where(sql`next_check_at is not null`)
      await sweep(deps)
    },

    /** A comparison that SumUp does not answer comes again. */
    compare: () => compareWithHistory(deps).catch(() => undefined),

    /** The shop has the other account from now on. */
    async changeAccount(): Promise<void> {
      const isFirst = deps.sumup.merchantCode === firstAccount.merchantCode
      moods.use(isFirst ? secondAccount : firstAccount)
      await expediteOtherAccounts(db, deps.sumup.merchantCode)
    },

    /** No answer is on its way that long, and nothing lags that long. SumUp's clock runs too. */
    async pass(ms: number): Promise<void> {
      await arrive()
      sandbox.controls.release({})
      moods.pass(ms)
      passedMs += ms
      const interval = sql`make_interval(secs => ${ms / 1000})`
      const shifted = timeColumns.map(
        (column) => sql`${sql.identifier(column.name)} = ${column} - ${interval}`,
      )
      await db.execute(sql`update checkouts set ${sql.join(shifted, sql`, `)}`)
      for (const { id, validUntil, status } of atSumup())
        if (status !== 'PAID' && validUntil !== null && validUntil - passedMs < Date.now())
          sandbox.controls.expire({ checkout: id })
    },

    /** From now on SumUp fails so, as often as the rule says. */
    fault(rule: Rule): void {
      const left = sandbox.faults.report().rules.flatMap(({ happened, count, ...known }) => {
        if (count === undefined) return [known]
        return count > happened ? [{ ...known, count: count - happened }] : []
      })
      sandbox.faults.set({ rules: [...left, rule] })
    },

    /** What the owner sees to decide about, or has decided. */
    async review(isArchive: boolean): Promise<ReviewEntry[]> {
      const url = `${apiRoutes.review}?archive=${isArchive}`
      return (await shop.app.inject({ method: 'GET', url, headers: shop.owner })).json()
    },

    async decide(call: string, id: string, payload: object): Promise<void> {
      const url = pathOf(call, { id })
      noteAnswer(await shop.app.inject({ method: 'POST', url, headers: shop.owner, payload }))
    },

    /** A call whose answer from SumUp waits until `arrive`. */
    async beginSlowly(call: () => Promise<unknown>): Promise<void> {
      const held = moods.hold()
      const calling = call()
      begin(calling)
      await Promise.race([calling, held, pause(aMomentMs)])
      moods.stopHolding()
    },

    /** Beside calls that wait, a call may have to wait with them. */
    async run(calling: Promise<unknown>): Promise<void> {
      if (underWay.length === 0) return void (await calling)
      begin(calling)
      await Promise.race([calling, pause(aMomentMs)])
    },

    arrive,
  }

  function begin(calling: Promise<unknown>): void {
    underWay.push(calling)
    // What goes wrong in it is told when it arrives.
    calling.catch(() => undefined)
  }

  async function arrive(): Promise<void> {
    moods.release()
    await Promise.all(underWay.splice(0))
  }
}

type Paid = { status: string; refunds: object[]; chargebacks?: object[] }

/** Money that was taken and not given back. */
export function isKept({ status, refunds, chargebacks = [] }: Paid): boolean {
  return status === 'SUCCESSFUL' && refunds.length + chargebacks.length === 0
}
