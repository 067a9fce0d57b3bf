import type { AnalyticsSummary } from '#contract/analytics.ts'

const view = 'Reloads within half an hour, crawlers and link previews are not counted as views.'

/** What each figure counts, in the words of whoever sells. */
export const definitions = {
  revenue: ({ currency, otherCurrencies }: AnalyticsSummary) => {
    const words = `The money of all orders paid in ${currency}, on the day each was placed. Money you gave back later is not taken off.`
    return otherCurrencies.length === 0
      ? words
      : `${words} What was paid in other currencies stands below it and is in no other sum.`
  },
  orders: () => 'Every order that was paid, in whatever currency. Nobody can order without paying.',
  averageOrder: ({ currency }: AnalyticsSummary) =>
    `Total Revenue divided by the number of orders paid in ${currency}.`,
  conversion: () => `Completed payments divided by views of your checkout pages. ${view}`,
  chart: ({ tz }: AnalyticsSummary) =>
    `The money of each day; a day begins at midnight, ${tz.replaceAll('_', ' ')} time. The dashed line is as many days right before.`,
  funnel: () =>
    'How far visitors come. Views: a checkout page was opened. Payment started: contact and delivery were handed in. Paid: it became an order. Thank-you: the confirmation was seen.',
  topProducts: ({ currency }: AnalyticsSummary) =>
    `The five products that brought in most, paid in ${currency}.`,
  devices: () => `What your visitors hold in their hands, of all views. ${view}`,
  countries: () =>
    'Where your visitors’ internet connections are registered, of all views. Some hide it.',
  referrers: () =>
    'The sites on which your links were clicked. Direct: a typed or pasted link, a mail, an app, or a browser that does not tell.',
}
