import { faultKinds } from './check-history.ts'
import type { ChaosReport } from './chaos.ts'
import { claims, type History } from './history.ts'
import { eventKinds } from './sumup-events.ts'

/** The figures of a run, a line each. */
export function describeChaos(report: ChaosReport): string[] {
  const { options, history, books, kills, provider, faults, events } = report
  const seconds = (ms: number) => (ms / 1000).toFixed(1)
  const lies = Object.values(provider.lies).reduce((sum, lie) => sum + lie, 0)
  const reviewed = books.ledger.filter(({ state }) => state === 'review').length
  const figures: [string, string | number][] = [
    ['shop', `${options.kind}, seed ${options.seed}`],
    [
      'buyers',
      `${options.checkouts}, ${options.concurrency} at once, ${seconds(report.buyingMs)} s`,
    ],
    ['checkouts opened', new Set(history.offers.map(({ checkoutId }) => checkoutId)).size],
    ['paid', books.payments.length],
    ['orders', books.orders.length],
    ['turned away', history.turnedAway],
    ['server killed', `${kills.servers} times`],
    ['database killed', `${kills.databases} times`],
    [
      'provider faults',
      `${provider.broken} answers, ${provider.payments} payments, ${provider.webhooks} webhooks, ` +
        `${provider.keys} keys, ${provider.held} refusals to let go`,
    ],
    ['provider lies', `${lies}, ${reviewed} payments in review`],
    ['on the account', eventKinds.map((kind) => `${kind} ${events[kind]}`).join(', ')],
    ['sentences', describeClaims(history)],
    ['price changes', report.priceChanges],
    ['starts without a database', report.failedStarts.length],
    ...faultKinds.map((kind): [string, number] => [kind, faults[kind].length]),
    ['crashed', report.crashes.length],
    ['settled after', `${seconds(report.settledMs)} s`],
  ]
  const width = Math.max(...figures.map(([name]) => name.length))
  return figures.map(([name, figure]) => `${name.padEnd(width)}  ${figure}`)
}

function describeClaims({ statements }: History): string {
  const count = (wanted: string) => statements.filter(({ claim }) => claim === wanted).length
  return claims.map((claim) => `${claim} ${count(claim)}`).join(', ')
}

/** The first few of each kind, to look into. */
export function describeFaults({ faults, crashes }: ChaosReport): string[] {
  const found: [string, string[]][] = [
    ...faultKinds.map((kind): [string, string[]] => [kind, faults[kind]]),
    ['crashed', crashes],
  ]
  return found
    .filter(([, about]) => about.length > 0)
    .map(([kind, about]) => `${kind}: ${about.slice(0, 5).join(', ')}`)
}
