import type { Country } from '#contract/countries.ts'
import { formatCents } from '#contract/money.ts'
import { Refusal, type RefusalCode } from '#contract/refusals.ts'
import type { SaleRecord, Loaded, StatusWithoutOrder } from '#server/payments/record.ts'
import { TooManyConflicts, readPayment, settle, type Context } from '#server/payments/flow.ts'
import * as acts from '#server/payments/owner.ts'
import {
  compare,
  createId,
  openForm,
  postOrder,
  readStatus,
  receiveWebhook,
  saveDetails,
  startOver,
  unfold,
  type ShopFlow,
  type WorldStep,
} from './shop-flows.ts'
import { details, product, type Screen } from './shop.ts'
import { partCents, type Sumup } from './sumup.ts'

/** Where the page says that it goes, where the price depends on that. */
type Destination = { country?: Country }

/** Somebody's work on a record. */
export type Task =
  | ({ kind: 'open'; tab: string } & Destination)
  | ({
      kind: 'details' | 'order' | 'status' | 'start-over'
      tab: string
      saleId: string
    } & Destination)
  | { kind: 'webhook' | 'sweep'; saleId: string }
  | { kind: 'follow'; recordId: string; paymentId: string }
  | { kind: 'compare' }
  | { kind: OwnerAct; owner: string; screen: Screen }

export type OwnerAct = 'make-order' | 'refund' | 'dismiss' | 'restore' | OrderAct

/** What pays for an order is refunded from there, all that is left or a part. */
const orderActs = ['refund-order', 'refund-part'] as const
type OrderAct = (typeof orderActs)[number]

export function isOrderAct(kind: Task['kind']): kind is OrderAct {
  return orderActs.some((one) => one === kind)
}

/** The name under which an owner refunds orders, so that these refunds can be told from those in review. */
export const ofOrder = 'order '

/** `failed`: an error that is no refusal. */
export type Result = { value: unknown } | { refused: RefusalCode | 'failed' }

/** Work in progress: what was answered so far. The same answers lead to the same step, since flows are deterministic. */
export type Run = {
  task: Task
  /** The account that it works with, also if the shop uses another one meanwhile. */
  merchantCode: string
  answers: unknown[]
  step: WorldStep
  /** What was true at SumUp when it was asked, since our rows were last read. */
  truths: Sumup[]
  /** Whether SumUp answered one of its questions with an error. */
  isBlind: boolean
  /** The rows that the next write is about. */
  lastRecord: SaleRecord | undefined
  loadedAt: number
}

function contextOf(account: string): Context {
  return { isOwn: ({ merchantCode }) => merchantCode === account, createId }
}

function createFlow(task: Task, context: Context, merchantCode: string): ShopFlow<unknown> {
  switch (task.kind) {
    case 'open':
      return openForm(context, task.country)
    case 'details':
      return saveDetails(context, task.saleId, task.tab, task.country)
    case 'order':
      return postOrder(task.saleId, task.country)
    case 'status':
      return readStatus(task.saleId)
    case 'start-over':
      return startOver(context, task.saleId)
    case 'webhook':
      return receiveWebhook(task.saleId)
    case 'sweep':
      return settle(context, task.saleId)
    case 'follow':
      return readPayment(context, task.recordId, task.paymentId)
    case 'compare':
      return compare(context, merchantCode)
    case 'make-order':
      return acts.createOrder(context, describeAct(task), {
        details,
        bought: { product, terms: null, discountCodeId: null },
      })
    case 'refund':
      return acts.refund(context, describeAct(task))
    case 'refund-order':
      return acts.refund(context, describeOrderRefund(task))
    case 'refund-part':
      return acts.refund(context, { ...describeOrderRefund(task), amount: formatCents(partCents) })
    case 'dismiss':
      return acts.dismiss(context, describeAct(task), 'note')
    case 'restore':
      return acts.restore(describeAct(task))
  }
}

function describeAct({ owner, screen }: { owner: string; screen: Screen }): acts.Act {
  const { recordId, questionId, version } = screen
  return { recordId, questionId, version, by: owner }
}

function describeOrderRefund({
  owner,
  screen,
}: {
  owner: string
  screen: Screen
}): acts.OrderRefund {
  const { recordId, orderId = '', version } = screen
  return { recordId, orderId, version, by: `${ofOrder}${owner}` }
}

export type Advanced = { run: Run } | { result: Result }

export function begin(task: Task, merchantCode: string): Advanced {
  return replay({
    task,
    merchantCode,
    answers: [],
    truths: [],
    isBlind: false,
    lastRecord: undefined,
    loadedAt: 0,
  })
}

/** The run after an answer to its step. `truth`: of an answer of SumUp. */
export function advance(
  run: Run,
  answer: unknown,
  truth?: { sumup: Sumup; isBlind: boolean },
): Advanced {
  const known = advances.get(run) ?? new Map<string, Advanced>()
  advances.set(run, known)
  const key = `${keyOfAnswer(answer)} ${truth ? identify(truth.sumup) : ''} ${truth?.isBlind ?? ''}`
  const again = known.get(key) ?? advanceAnew(run, answer, truth)
  known.set(key, again)
  return again
}

/** Others act between two steps of a run in many orders, so the same run gets the same answer often. */
const advances = new WeakMap<Run, Map<string, Advanced>>()
const identities = new WeakMap<object, number>()
let identified = 0

function identify(one: object): number {
  const number = identities.get(one) ?? (identified += 1)
  identities.set(one, number)
  return number
}

function keyOfAnswer(answer: unknown): string {
  if (typeof answer !== 'object' || answer === null || !('record' in answer))
    return JSON.stringify(answer) ?? ''
  const { record, now, type } = answer as Loaded & { type?: string }
  return `${identify(record)} ${now?.getTime() ?? ''} ${type ?? ''}`
}

function advanceAnew(
  run: Run,
  answer: unknown,
  truth?: { sumup: Sumup; isBlind: boolean },
): Advanced {
  const isLoad = run.step.type === 'load' || run.step.type === 'find-earlier'
  const truths = isLoad ? [] : run.truths
  return replay({
    task: run.task,
    merchantCode: run.merchantCode,
    answers: [...run.answers, answer],
    truths: truth ? [...truths, truth.sumup] : truths,
    isBlind: run.isBlind || (truth?.isBlind ?? false),
    lastRecord: (answer as Partial<Loaded> | undefined)?.record ?? run.lastRecord,
    loadedAt: (answer as Partial<Loaded> | undefined)?.now?.getTime() ?? run.loadedAt,
  })
}

function replay(run: Omit<Run, 'step'>): Advanced {
  const context = contextOf(run.merchantCode)
  const flow = unfold(context, createFlow(run.task, context, run.merchantCode))
  try {
    let next = flow.next()
    for (const answer of run.answers) {
      if (next.done) throw new Error('the flow was repeated with other steps')
      next = flow.next(answer as never)
    }
    return next.done ? { result: { value: next.value } } : { run: { ...run, step: next.value } }
  } catch (error) {
    if (error instanceof Refusal) return { result: { refused: error.code } }
    if (error instanceof TooManyConflicts) return { result: { refused: 'failed' } }
    throw error
  }
}

export function isStatus(value: unknown): value is StatusWithoutOrder {
  return typeof value === 'object' && value !== null && 'state' in value
}
