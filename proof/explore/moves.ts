import { toCents } from '#contract/money.ts'
import { hasSale, type SaleRecord, type RecordWithSale } from '#server/payments/record.ts'
import type { KnownPayment } from '#server/payments/history.ts'
import {
  listAnswers,
  listCreations,
  listDeclineCounts,
  listHistories,
  type SumupAnswer,
} from './answers.ts'
import { checkOrder, checkResult, checkWrite } from './invariants.ts'
import { listLooks, listOrderLooks } from './screens.ts'
import { nextCountry, priceOf } from './shop.ts'
import { addCard, otherCents, takesCards } from './sumup.ts'
import { listSumupMoves, type SumupRules } from './sumup-moves.ts'
import { advance, begin, type Advanced, type OwnerAct, type Run, type Task } from './tasks.ts'
import {
  addSale,
  changeAccount,
  changeSumup,
  closeUnused,
  has,
  lagMs,
  passTime,
  spend,
  write,
  type Tab,
  type World,
} from './world.ts'

/** Everything that may happen next. */
export type Move = { label: string; world: World; violation?: string | undefined }

/** What can happen in a bound besides its budgets. */
export type Rules = SumupRules & {
  /** Steps of the clock. */
  ticksMs: readonly number[]
  /** What a card does that was sent. */
  cards: readonly (keyof typeof cardStatus)[]
  acts: readonly OwnerAct[]
  /** Whether a card may be sent from a form without details. */
  allowsBareCards: boolean
}

export function listMoves(world: World, rules: Rules): Move[] {
  return [
    ...world.runs.flatMap((run) => continueRun(world, run)),
    ...listCrashes(world),
    ...listBuyerMoves(world, rules),
    ...listShopMoves(world),
    ...listOwnerMoves(world, rules),
    ...listSumupMoves(world, rules),
    ...listTicks(world, rules),
  ]
}

function describeTask(task: Task): string {
  if ('tab' in task) return `tab ${task.tab} ${task.kind}`
  if ('owner' in task) return `owner ${task.owner} ${task.kind}`
  return task.kind
}

function start(world: World, task: Task): Move {
  return place(world, describeTask(task), task, begin(task, world.merchantCode))
}

function place(world: World, label: string, task: Task, next: Advanced, from?: Run): Move {
  const others = world.runs.filter((one) => one !== from)
  if ('run' in next) return { label, world: { ...world, runs: [...others, next.run] } }
  const ended = { ...world, runs: others }
  const violation = checkResult(ended, task, next.result, from)
  const told = 'refused' in next.result ? next.result.refused : describeValue(next.result.value)
  return { label: `${label} → ${told}`, world: finish(ended, task, next.result), violation }
}

function describeValue(value: unknown): string {
  if (typeof value === 'string') return value
  const shown = value as { state?: string; status?: { state: string } } | undefined
  return shown?.state ?? shown?.status?.state ?? 'done'
}

/** What the end of a request means for the page that sent it. */
function finish(world: World, task: Task, result: { value: unknown } | { refused: string }): World {
  if ('refused' in result || !('tab' in task)) return world
  const set = (tab: Tab): World => ({
    ...world,
    tabs: { ...world.tabs, [task.tab]: { ...world.tabs[task.tab], ...tab } },
  })
  if (task.kind === 'open') return set({ saleId: String(result.value), phase: 'form' })
  if (task.kind === 'details') return set({ saleId: task.saleId, phase: 'ready' })
  if (task.kind === 'start-over') return set({ saleId: null, phase: 'away' })
  return world
}

/** All ways in which the next step of some work may go. */
export function continueRun(world: World, run: Run): Move[] {
  const { step, task } = run
  const name = describeTask(task)
  const go = (after: World, label: string, answer: unknown, truth?: SumupAnswer): Move =>
    place(
      after,
      `${name}: ${label}`,
      task,
      advance(run, answer, truth && { sumup: world.sumup, isBlind: truth.isBlind ?? false }),
      run,
    )
  switch (step.type) {
    case 'load': {
      const record = world.records[step.id]
      return [go(world, 'load', record && { record, now: new Date(world.now) })]
    }
    case 'find-earlier':
      return [go(world, 'load', findEarlier(world))]
    case 'find-known':
      return [go(world, 'find payment', findKnown(world, step.transactionId))]
    case 'insert': {
      const country = task.kind === 'open' ? task.country : undefined
      const added = addSale(world, run.merchantCode, country)
      return [go(added.world, 'insert', added.loaded)]
    }
    case 'create':
      return listCreations(world, step.sale).map((one) => go(one.world, one.label, one.answer))
    case 'check-account':
      return [go(world, 'check account', world.merchantCode !== run.merchantCode)]
    case 'list-ordered':
      return [go(world, 'list orders', listOrdered(world, run.merchantCode))]
    case 'clock':
      return [go(world, 'clock', new Date(world.now))]
    case 'ask':
      return listAnswers(world, step.ask, world.now - run.loadedAt >= lagMs).map((one) =>
        go(one.world, one.label, one.answer, one),
      )
    case 'history':
      return listHistories(world, run.merchantCode).map((one) =>
        go(one.world, one.label, one.answer),
      )
    case 'count-declines':
      return listDeclineCounts(world).map((one) => go(one.world, one.label, one.answer))
    case 'write': {
      const written = write(world, step)
      const isChanged = written.world !== world
      const after = isChanged ? noteAccount(written.world, run, step.loaded.record) : world
      const move = go(after, `write (${written.answer.type})`, written.answer)
      const isWritten = written.answer.type === 'written'
      const violation = isWritten
        ? (checkOrder(world, step.loaded.now, step.decision, run) ??
          checkWrite(world, step.loaded.record, step.decision, run))
        : undefined
      return [{ ...move, violation: violation ?? move.violation }]
    }
  }
}

function noteAccount(world: World, { merchantCode }: Run, { sale }: SaleRecord): World {
  const others = world.outdated.filter((id) => id !== sale?.id)
  const isOutdated = sale && merchantCode !== world.merchantCode
  if (!isOutdated && others.length === world.outdated.length) return world
  return { ...world, outdated: isOutdated ? [...others, sale.id] : others }
}

function findEarlier(world: World): { record: RecordWithSale; now: Date } | undefined {
  const ranks = ['review', 'submitted', 'paid', 'created', 'open']
  const found = Object.values(world.records)
    .filter(hasSale)
    .filter(({ sale }) => ranks.includes(sale.state))
    .filter(({ sale }) => sale.state !== 'paid' || sale.thankedAt === null)
    .toSorted((a, b) => ranks.indexOf(a.sale.state) - ranks.indexOf(b.sale.state))
  return found[0] && { record: found[0], now: new Date(world.now) }
}

function findKnown(world: World, transactionId: string): KnownPayment | undefined {
  for (const [recordId, { payments }] of Object.entries(world.records)) {
    const payment = payments.find((one) => one.transactionId === transactionId)
    if (payment) return { ...payment, recordId }
  }
  return undefined
}

function listOrdered({ records }: World, merchantCode: string): KnownPayment[] {
  return Object.entries(records).flatMap(([recordId, { order, payments }]) =>
    payments
      .filter((one) => one.transactionId === order?.transactionId)
      .filter((one) => one.merchantCode === merchantCode)
      .map((one) => ({ ...one, recordId })),
  )
}

function listCrashes(world: World): Move[] {
  if (!has(world, 'crash')) return []
  return world.runs.map((run) => ({
    label: `${describeTask(run.task)}: crash`,
    world: { ...spend(world, 'crash'), runs: world.runs.filter((one) => one !== run) },
  }))
}

function listBuyerMoves(world: World, rules: Rules): Move[] {
  return Object.entries(world.tabs).flatMap(([tab, shown]) => {
    const { saleId, phase, country } = shown
    const isBusy = world.runs.some(({ task }) => 'tab' in task && task.tab === tab)
    if (isBusy) return []
    const ask = (kind: 'details' | 'order' | 'status' | 'start-over') =>
      saleId && has(world, kind)
        ? [start(spend(world, kind), { kind, tab, saleId, ...(country && { country }) })]
        : []
    const isOther = world.records[saleId ?? '']?.sale?.terms?.country !== (country ?? null)
    const isWithoutForm = phase === 'away' || (phase === 'form' && country && isOther)
    const isOpening = isWithoutForm && has(world, 'open')
    return [
      ...(isOpening
        ? [start(spend(world, 'open'), { kind: 'open', tab, ...(country && { country }) })]
        : []),
      ...(phase === 'form' ? chooseCountry(world, tab, shown) : []),
      ...(phase === 'ready' || phase === 'sent' ? goBack(world, tab, shown) : []),
      ...(phase === 'form' || phase === 'sent' ? ask('details') : []),
      ...(phase === 'sent' || rules.allowsBareCards ? ask('order') : []),
      ...(phase === 'away' ? [] : [...ask('status'), ...ask('start-over')]),
      ...sendCards(world, rules, tab, shown),
    ]
  })
}

/** The buyer prefers the card to other ways to pay, or comes back from one of them to a page that knows nothing of it. */
function goBack(world: World, tab: string, shown: Tab): Move[] {
  if (!has(world, 'back')) return []
  const tabs = { ...world.tabs, [tab]: { ...shown, saleId: null, phase: 'away' as const } }
  return [{ label: `tab ${tab} goes back`, world: { ...spend(world, 'back'), tabs } }]
}

/** From now on the page shows what another country costs. */
function chooseCountry(world: World, tab: string, shown: Tab): Move[] {
  if (!shown.country || !has(world, 'country')) return []
  const country = nextCountry(shown.country)
  const tabs = { ...world.tabs, [tab]: { ...shown, country } }
  return [{ label: `tab ${tab} shows ${country}`, world: { ...spend(world, 'country'), tabs } }]
}

const cardStatus = {
  approve: 'SUCCESSFUL',
  'approve other amount': 'SUCCESSFUL',
  decline: 'FAILED',
  bank: 'PENDING',
} as const

function sendCards(world: World, rules: Rules, tab: string, shown: Tab): Move[] {
  const { saleId, phase } = shown
  const mayPay = phase === 'ready' || (rules.allowsBareCards && phase === 'form')
  const { sumupCheckoutId } = world.records[saleId ?? '']?.sale ?? {}
  if (!mayPay || !has(world, 'card') || !sumupCheckoutId) return []
  const sent: World = { ...world, tabs: { ...world.tabs, [tab]: { ...shown, phase: 'sent' } } }
  if (!takesCards(world.sumup, sumupCheckoutId, world.now))
    return [{ label: `tab ${tab}: SumUp takes no card`, world: sent }]
  const { cents = 0 } = world.sumup.checkouts.find(({ id }) => id === sumupCheckoutId) ?? {}
  const isShown = cents === toCents(priceOf(shown.country).amount)
  return rules.cards.map((card) => ({
    label: `tab ${tab}: card, ${card}`,
    violation: isShown ? undefined : 'charged differently from what was shown',
    world: changeSumup(
      spend(sent, 'card'),
      addCard(
        world.sumup,
        sumupCheckoutId,
        cardStatus[card],
        world.now,
        card === 'approve other amount' ? otherCents : cents,
      ),
    ),
  }))
}

function listShopMoves(world: World): Move[] {
  const isRunning = (kind: Task['kind']) => world.runs.some(({ task }) => task.kind === kind)
  const records = Object.entries(world.records)
  const closed = closeUnused(world)
  const isChanged = records.some(
    ([id, { sale }]) => sale?.state !== closed.records[id]?.sale?.state,
  )
  return [
    ...(has(world, 'webhook') && !isRunning('webhook')
      ? records.flatMap(([saleId, { sale }]) =>
          sale ? [start(spend(world, 'webhook'), { kind: 'webhook', saleId })] : [],
        )
      : []),
    ...(has(world, 'sweep') && !isRunning('sweep')
      ? listDueSales(world).map((saleId) => start(spend(world, 'sweep'), { kind: 'sweep', saleId }))
      : []),
    ...(has(world, 'follow') && !isRunning('follow')
      ? listDuePayments(world).map((due) =>
          start(spend(world, 'follow'), { kind: 'follow', ...due }),
        )
      : []),
    ...(has(world, 'compare') && !isRunning('compare')
      ? [start(spend(world, 'compare'), { kind: 'compare' })]
      : []),
    ...(isChanged ? [{ label: 'unused forms are closed', world: closed }] : []),
    ...(has(world, 'account')
      ? [
          {
            label: 'the shop uses the other account',
            world: changeAccount(spend(world, 'account')),
          },
        ]
      : []),
  ]
}

export function listDueSales({ records, now }: World): string[] {
  return Object.values(records).flatMap(({ sale }) => {
    const isDue = sale?.nextCheckAt && sale.nextCheckAt.getTime() <= now
    return isDue ? [sale.id] : []
  })
}

export function listDuePayments({
  records,
  now,
}: World): { recordId: string; paymentId: string }[] {
  return Object.entries(records).flatMap(([recordId, { payments }]) =>
    payments
      .filter(({ nextReadAt }) => nextReadAt && nextReadAt.getTime() <= now)
      .map(({ id }) => ({ recordId, paymentId: id })),
  )
}

function listOwnerMoves(world: World, rules: Rules): Move[] {
  return ['1', '2'].flatMap((owner) => {
    const isBusy = world.runs.some(({ task }) => 'owner' in task && task.owner === owner)
    if (isBusy) return []
    const screen = world.screens[owner]
    const looks = has(world, `look ${owner}`)
      ? [...listLooks(world, owner), ...listOrderLooks(world, owner, rules.acts)]
      : []
    if (!screen) return looks
    const { [owner]: _seen, ...screens } = world.screens
    const acted = { ...world, screens }
    const isPossible = {
      'make-order': screen.canOrder,
      refund: screen.canRefund,
      dismiss: screen.canDismiss,
      restore: screen.state === 'dismissed',
      'refund-order': screen.orderId !== undefined,
      'refund-part': screen.orderId !== undefined,
    }
    const acts = rules.acts.filter((act) => isPossible[act])
    return [...looks, ...acts.map((kind) => start(acted, { kind, owner, screen }))]
  })
}

function listTicks(world: World, rules: Rules): Move[] {
  if (!has(world, 'tick')) return []
  return rules.ticksMs.map((ms) => ({
    label: `${ms / 1000} s pass`,
    world: passTime(spend(world, 'tick'), ms),
  }))
}
