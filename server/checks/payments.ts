import { otherMethods } from '#contract/payment-methods.ts'
import { keyRefusedText } from '#server/sumup/payments.ts'
import { ask } from './ask.ts'
import { isLive, ok, warn, type Check, type Finding } from './check.ts'
import { findClockDifference, judgeClock } from './clocks.ts'

/** The Date header has whole seconds, and its way here takes time. */
const maxClockDifferenceMs = 5_000

/** Both the check and the mail say this. */
export function describeKeyRefusal(): Finding {
  return {
    level: 'fail',
    title: 'SumUp refuses your key.',
    text: keyRefusedText,
    todo: 'Earlier payments are checked as soon as SumUp accepts it.',
    place: 'sumup',
    setting: 'SUMUP_API_KEY and SUMUP_MERCHANT_CODE',
  }
}

/** Both the check and the mail say this. */
export function describeCardForm(day: string): Finding {
  return {
    level: 'urgent',
    title: `The script of SumUp’s card form changed on ${day}.`,
    text: 'This happens with new releases of SumUp, and is no reason to worry by itself.',
    todo: 'Open one of your checkouts and look: if something looks odd, or it asks for more than the card, stop selling and ask SumUp’s support.',
  }
}

export const paymentChecks: Check[] = [
  {
    code: 'SumUp',
    shownIn: { doctor: true, notice: 'payments', step: 'sumup', link: 'always', start: 'Payments' },
    async find({ config, isSandbox, account: findAccount }) {
      const { mode, problem, isUnknown, country, currency } = await findAccount()
      const place = 'sumup'
      if (problem === keyRefusedText) return describeKeyRefusal()
      if (problem)
        return {
          level: 'fail',
          title: 'Payments need your attention.',
          text: problem,
          place,
          setting: 'SUMUP_API_KEY, SUMUP_MERCHANT_CODE or PAYMENT_CURRENCY',
          isUnreachable: isUnknown,
        }
      // The next check tells of it.
      if (isSandbox || mode === 'test') return undefined
      const name = `SumUp account ${config.payments.account?.merchantCode ?? ''}`
      if (mode === undefined)
        return {
          level: 'warn',
          title: `${name}: SumUp has not told yet whether it takes money.`,
          place,
          isUnreachable: true,
        }
      const facts = [country, currency && `paid in ${currency}`].filter(Boolean).join(', ')
      return ok(`${name}${facts && ` (${facts})`} takes real payments.`)
    },
  },
  {
    code: 'test mode',
    shownIn: {
      doctor: true,
      notice: 'test-mode',
      step: 'sumup',
      link: 'always',
      start: 'Payments',
    },
    async find(facts) {
      if (await isLive(facts)) return undefined
      const common = {
        level: 'note',
        title: 'Test mode: no money is taken.',
        place: 'sumup',
        setting: 'SUMUP_API_KEY and SUMUP_MERCHANT_CODE',
      } as const
      return facts.isSandbox
        ? {
            ...common,
            text: 'Try everything with test cards.',
            todo: 'To be paid, connect your SumUp account.',
          }
        : {
            ...common,
            text: 'The SumUp account of this shop is a sandbox: orders are paid with test cards, not with money.',
            todo: 'To be paid, connect your real account.',
          }
    },
  },
  {
    code: 'clock of SumUp',
    shownIn: { doctor: true },
    async find({ machine, config: { payments } }) {
      if (!machine || !payments.account) return undefined
      const before = Date.now()
      const answer = await ask(payments.apiUrl, { method: 'HEAD' }).catch(() => undefined)
      const theirs = Date.parse(answer?.headers.get('date') ?? '')
      if (Number.isNaN(theirs)) return undefined
      // The header has whole seconds.
      return judgeClock(findClockDifference(theirs + 500, before), maxClockDifferenceMs)
    },
  },
  {
    code: 'declined cards',
    shownIn: { notice: 'cards' },
    find: async ({ isCardTestingAttack }) =>
      (await isCardTestingAttack?.())
        ? {
            level: 'urgent',
            title: 'Somebody may be trying out stolen cards.',
            text: 'Of the last 20 cards more than half were declined. Until that ends, an address whose cards were declined can begin 3 payments in 10 minutes; others are not affected.',
          }
        : undefined,
  },
  {
    code: 'card form',
    shownIn: { notice: 'card-form' },
    async find({ findCardFormChange }) {
      const since = await findCardFormChange?.()
      return since && { ...describeCardForm(since.toISOString().slice(0, 10)), since }
    },
  },
  // What the ways to pay beside the card need of this shop. What SumUp and Apple say of it, nobody here can tell.
  {
    code: 'ways to pay',
    shownIn: { doctor: true },
    find({ config: { methods, customDomain, publicUrl } }) {
      const { otherMethods: chosen, applePayFile, googlePayMerchantId } = methods
      if (chosen.length === 0) return undefined
      const missing = [
        chosen.includes('apple_pay') &&
          applePayFile === null &&
          'Apple Pay: Apple’s file is missing, so Apple may not know the domain.',
        chosen.includes('google_pay') &&
          googlePayMerchantId === null &&
          'Google Pay: the merchant ID is missing, so buyers are not offered it.',
      ].filter((title) => title !== false)
      const todo = 'Enter it in the settings, under Methods.'
      const findings = missing.map((title) => warn(title, todo))
      if (!(customDomain ?? publicUrl)?.startsWith('https:'))
        return [
          ...findings,
          {
            level: 'warn',
            title:
              'The address of the shop does not begin with https: wallets stay hidden, and banks may not lead back.',
            todo: 'Put a proxy with TLS in front of the shop and enter its address.',
            place: 'address',
            setting: 'PUBLIC_URL=https://shop.example.com',
          },
        ]
      const names = chosen.map((id) => otherMethods[id].name).join(', ')
      return findings.length > 0 ? findings : ok(`Beside the card: ${names}.`)
    },
  },
]
