import { listRefundEnds } from './answers.ts'
import { isTaken, withTransaction, type Fault, type Transaction } from './sumup.ts'
import { changeSumup, has, spend, type World } from './world.ts'

/** What happens at SumUp and at banks without the shop. */

export type SumupRules = {
  /** Cents that the owner gives back in SumUp's app at once, or the bank takes back. */
  appRefunds: readonly number[]
  chargebacks: readonly number[]
  /** Whether a payment at the bank, or on another page, may be cancelled there. */
  cancels: boolean
  /** How SumUp fails to show a checkout or transaction for long. */
  faults: readonly Fault[]
}

/** Nobody gives back what was paid a moment ago: the shop relies on that (youngPaymentMs in reconcile.ts). */
const minAppRefundAgeMs = 61_000

export function listSumupMoves(world: World, rules: SumupRules): { label: string; world: World }[] {
  const { sumup, now } = world
  const change = (id: string, fields: (one: (typeof sumup.transactions)[number]) => object) =>
    changeSumup(
      world,
      withTransaction(sumup, id, (one) => ({ ...one, ...fields(one) }), now),
    )
  const banks = sumup.transactions
    .filter(({ status }) => status === 'PENDING')
    .flatMap(({ id }) => [
      { label: `bank approves ${id}`, world: change(id, () => ({ status: 'SUCCESSFUL' })) },
      { label: `bank declines ${id}`, world: change(id, () => ({ status: 'FAILED' })) },
      ...(rules.cancels
        ? [{ label: `buyer cancels ${id}`, world: change(id, () => ({ status: 'CANCELLED' })) }]
        : []),
    ])
  const isSettled = ({ asked }: Transaction) =>
    !asked.some(({ state }) => state === 'late' || state === 'pending')
  const old = sumup.transactions.filter(
    (one) => isTaken(one) && isSettled(one) && now - one.madeAt >= minAppRefundAgeMs,
  )
  const fits = (cents: number) =>
    old.filter((one) => one.refunded + one.chargedBack + cents <= one.cents)
  const apps = has(world, 'app')
    ? [
        ...rules.appRefunds.flatMap((cents) =>
          fits(cents).map(({ id }) => ({
            label: `refund of ${cents} of ${id} in the app`,
            world: spend(
              change(id, (one) => ({ refunded: one.refunded + cents })),
              'app',
            ),
          })),
        ),
        ...rules.chargebacks.flatMap((cents) =>
          fits(cents).map(({ id }) => ({
            label: `chargeback of ${cents} of ${id}`,
            world: spend(
              change(id, (one) => ({ chargedBack: one.chargedBack + cents })),
              'app',
            ),
          })),
        ),
      ]
    : []
  const breakable = [...sumup.checkouts, ...sumup.transactions].map(({ id }) => id)
  const breaks = has(world, 'break')
    ? breakable
        .filter((id) => sumup.broken[id] === undefined)
        .flatMap((id) =>
          rules.faults.map((fault) => ({
            label: `${id} is ${fault} from now on`,
            world: spend(
              { ...world, sumup: { ...sumup, broken: { ...sumup.broken, [id]: fault } } },
              'break',
            ),
          })),
        )
    : []
  const heals = has(world, 'heal')
    ? Object.keys(sumup.broken).map((id) => {
        const { [id]: _fault, ...broken } = sumup.broken
        const healed = { ...world, sumup: { ...sumup, broken } }
        return { label: `${id} can be read again`, world: spend(healed, 'heal') }
      })
    : []
  const echoes = has(world, 'echo')
    ? sumup.transactions
        .filter(({ status }) => status === 'SUCCESSFUL')
        .flatMap(({ id, checkoutId }) =>
          sumup.checkouts
            .filter((one) => one.id !== checkoutId)
            .map((one) => ({
              label: `SumUp names ${id} under ${one.id}`,
              world: spend(
                changeSumup(world, { ...sumup, echo: { transactionId: id, checkoutId: one.id } }),
                'echo',
              ),
            })),
        )
    : []
  return [...banks, ...apps, ...breaks, ...heals, ...echoes, ...listRefundEnds(world)]
}
