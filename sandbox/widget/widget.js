import { digitsOf, readExpiry, schemeOf, silentCard } from './card.js'
import { leaveForChallenge, showChallenge } from './challenge.js'
import { createForm } from './form.js'
import { addStyle } from './style.js'
import { texts } from './texts.js'

/** How often the result is asked for after 3-D Secure before the widget gives up. */
const resultTries = 3

/**
 * What SumUp's widget takes. Those it documents and the stand-in has no use for are taken in silence.
 * @typedef {object} WidgetConfig
 * @property {string} [id]
 * @property {string} [checkoutId]
 * @property {(type: string, body?: any) => void} [onResponse]
 * @property {() => void} [onLoad]
 * @property {(methods: { eligible: { id: string }[] }) => string[] | void} [onPaymentMethodsLoad]
 * @property {boolean} [showSubmitButton]
 * @property {boolean} [showFooter]
 * @property {boolean} [showZipCode]
 * @property {boolean} [showEmail]
 * @property {string | null} [email]
 * @property {boolean} [showInstallments]
 * @property {number | null} [installments]
 * @property {number} [maxInstallments]
 * @property {(count: number) => void} [onChangeInstallments]
 * @property {boolean} [donateSubmitButton]
 * @property {boolean} [showAmount]
 * @property {string | null} [amount]
 * @property {string | null} [currency]
 * @property {string} [locale]
 * @property {string | null} [country]
 * @property {object | null} [googlePay]
 * @property {string} [nonce]
 */

/** @typedef {ReturnType<typeof createWidget>} Widget */

/**
 * @param {HTMLElement} container
 * @param {WidgetConfig} given
 * @param {import('./gateway.js').Gateway} gateway
 */
export function createWidget(container, given, gateway) {
  const config = { ...given }
  const unmounting = new AbortController()
  /** loading → ready → busy → ready again, or over. @type {'loading' | 'ready' | 'busy' | 'over'} */
  let state = 'loading'
  /** @type {any} */
  let checkout

  addStyle(config.nonce)
  const form = createForm(config, () => void submit())
  container.replaceChildren(form.root)
  form.setButtonText(buttonText(config, undefined))
  void load(true)

  /** Nobody is told of anything after the end. @param {string} type @param {unknown} [body] */
  function tell(type, body) {
    if (!unmounting.signal.aborted) config.onResponse?.(type, body)
  }

  /** @param {'ready' | 'over'} next @param {string} text @param {'good' | 'bad'} tone */
  function rest(next, text, tone) {
    state = next
    form.setBusy(false)
    form.show(next === 'ready')
    form.say(text, tone)
  }

  /** @param {boolean} first Only then the shop hears of it. */
  async function load(first) {
    const { checkoutId } = config
    state = 'loading'
    const answer = await readCheckout(checkoutId)
    if (unmounting.signal.aborted || config.checkoutId !== checkoutId) return
    if (!answer.ok) {
      rest('over', texts.notLoaded, 'bad')
      return tell('error', answer.body)
    }
    checkout = answer.body
    form.setButtonText(buttonText(config, checkout))
    const chosen = first ? config.onPaymentMethodsLoad?.({ eligible: [{ id: 'card' }] }) : undefined
    if (Array.isArray(chosen) && !chosen.includes('card'))
      return rest('over', texts.noMethod, 'bad')
    rest('ready', '', 'good')
    if (first) config.onLoad?.()
  }

  /** @param {string | undefined} checkoutId */
  async function readCheckout(checkoutId) {
    if (!checkoutId)
      return { ok: false, body: { message: 'checkoutId is required', error_code: 'MISSING' } }
    try {
      return await gateway.read(checkoutId)
    } catch (error) {
      return { ok: false, body: networkError(error) }
    }
  }

  async function submit() {
    const { checkoutId } = config
    if (state !== 'ready' || !checkoutId) return
    const errors = form.findErrors()
    if (errors.length > 0) return tell('invalid', { errors })
    const digits = digitsOf(form.value('card.number'))
    if (digits === silentCard) return
    state = 'busy'
    form.say('', 'good')
    form.setBusy(true)
    tell('sent', { last_4_digits: digits.slice(-4), card_type: schemeOf(digits) })
    try {
      await follow(checkoutId, await gateway.pay(checkoutId, readPayment(digits)))
    } catch (error) {
      rest('ready', texts.failed, 'bad')
      // The bank may have been paid all the same: only the shop's server can find out.
      tell(error instanceof DOMException ? 'fail' : 'error', networkError(error))
    }
  }

  /** @param {string} checkoutId @param {import('./gateway.js').GatewayAnswer} answer */
  async function follow(checkoutId, { ok, status, body }) {
    if (!ok) {
      rest('ready', texts.failed, 'bad')
      return tell('error', body)
    }
    if (status !== 202) return finish(body)
    tell('auth-screen')
    if (body.next_step.redirect_url) return leaveForChallenge(body.next_step)
    form.show(false)
    const outcome = await showChallenge(form.stage, body.next_step, unmounting.signal)
    if (unmounting.signal.aborted) return
    if (outcome === 'CANCELLED' || outcome === 'PENDING') {
      // Still pending: the bank's page gave up on the payer, the bank itself may yet say yes.
      rest('ready', outcome === 'PENDING' ? texts.timedOut : texts.cancelled, 'bad')
      return tell('fail')
    }
    finish(await readResult(checkoutId, resultTries))
  }

  /** @param {any} body The checkout after the attempt: paid, failed or still pending. */
  function finish(body) {
    if (body.status === 'FAILED') rest('ready', texts.declined, 'bad')
    else rest('over', body.status === 'PAID' ? texts.paid : texts.pending, 'good')
    const message = body.status === 'FAILED' ? texts.declined : texts.paid
    tell('success', { ...body, payment_method: 'card', message })
  }

  /** @param {string} checkoutId @param {number} tries @returns {Promise<any>} */
  async function readResult(checkoutId, tries) {
    try {
      return (await gateway.read(checkoutId)).body
    } catch (error) {
      if (tries <= 1) throw error
      return readResult(checkoutId, tries - 1)
    }
  }

  /** @param {string} digits */
  function readPayment(digits) {
    const { month, year } = readExpiry(form.value('card.expiry'))
    const email = form.value('email') || config.email
    return {
      payment_type: 'card',
      installments: form.installments(),
      card: {
        number: digits,
        name: form.value('card.name') || 'CARDHOLDER',
        expiry_month: month,
        expiry_year: year,
        cvv: form.value('card.cvv'),
        type: schemeOf(digits),
        zip_code: form.value('card.zip_code') || undefined,
      },
      ...(email ? { personal_details: { email } } : {}),
    }
  }

  return {
    container,
    submit: () => void submit(),
    unmount() {
      unmounting.abort()
      form.root.remove()
    },
    /** @param {WidgetConfig} changes */
    update({ checkoutId, email, amount, currency, installments }) {
      const moved = checkoutId !== undefined && checkoutId !== config.checkoutId
      const changes = { checkoutId, email, amount, currency, installments }
      for (const [name, value] of Object.entries(changes))
        if (value !== undefined) Object.assign(config, { [name]: value })
      form.setButtonText(buttonText(config, checkout))
      if (moved) void load(false)
    },
  }
}

/** @param {unknown} error */
function networkError(error) {
  const message = error instanceof Error ? error.message : String(error)
  return { message, error_code: 'NETWORK_ERROR' }
}

/**
 * Amount and currency of the options are for show; the checkout's amount is what is charged.
 * @param {WidgetConfig} config
 * @param {{ amount: number, currency: string } | undefined} checkout
 */
function buttonText({ donateSubmitButton, showAmount, amount, currency, locale }, checkout) {
  const verb = donateSubmitButton ? texts.donate : texts.pay
  const shown = amount ?? (showAmount ? checkout?.amount : undefined)
  const unit = currency ?? checkout?.currency
  if (shown === undefined || unit === undefined) return verb
  const format = new Intl.NumberFormat(locale ?? 'en-GB', { style: 'currency', currency: unit })
  return `${verb} ${format.format(Number(shown))}`
}
