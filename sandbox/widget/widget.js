import { getCardScheme, getDigits, parseExpiry, silentCard } from './card.js'
import { leaveForChallenge, showChallenge } from './challenge.js'
import { createForm, texts } from './form.js'
import { askWallet, createMethodButtons } from './methods.js'
import { addStyle } from './style.js'

/** What a bank may ask about, on a page of its own. */
const bankedTypes = ['card', 'apple_pay', 'google_pay']

/** Requests for the result after 3-D Secure before the widget gives up. */
const maxResultTries = 3

/**
 * The options of SumUp's widget. The stand-in ignores some of them.
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
 * @param {Gateway} gateway
 */
function createWidget(container, given, gateway) {
  const config = { ...given }
  const unmounting = new AbortController()
  /** loading → ready → busy → ready again, or over. @type {'loading' | 'ready' | 'busy' | 'over'} */
  let state = 'loading'
  /** @type {any} */
  let checkout
  /** What the shop lets through of what there is. @type {string[]} */
  let allowed = []
  let buttons = createMethodButtons([], () => {})

  addStyle(config.nonce)
  const form = createForm(config, () => void submit())
  container.replaceChildren(form.root)
  form.setButtonText(buttonText(config, undefined))
  void load(true)

  /** Reports nothing after unmount. @param {string} type @param {unknown} [body] */
  function notify(type, body) {
    if (!unmounting.signal.aborted) config.onResponse?.(type, body)
  }

  /** @param {'ready' | 'over'} next @param {string} text @param {'good' | 'bad'} tone */
  function finishAttempt(next, text, tone) {
    state = next
    form.setBusy(false)
    setVisible(next === 'ready')
    form.showMessage(text, tone)
  }

  /** @param {boolean} isVisible */
  function setVisible(isVisible) {
    form.setVisible(isVisible && allowed.includes('card'))
    buttons.hidden = !isVisible
  }

  /** @param {boolean} isFirst The shop is notified only of the first load. */
  async function load(isFirst) {
    const { checkoutId } = config
    state = 'loading'
    const answer = await readCheckout(checkoutId)
    if (unmounting.signal.aborted || config.checkoutId !== checkoutId) return
    if (!answer.ok) {
      finishAttempt('over', texts.notLoaded, 'bad')
      return notify('error', answer.body)
    }
    checkout = answer.body
    form.setButtonText(buttonText(config, checkout))
    const others = listOthers()
    const eligible = [{ id: 'card' }, ...others.map(({ id }) => ({ id }))]
    if (isFirst) {
      const chosen = config.onPaymentMethodsLoad?.({ eligible })
      allowed = Array.isArray(chosen) ? chosen : eligible.map(({ id }) => id)
    }
    if (!eligible.some(({ id }) => allowed.includes(id)))
      return finishAttempt('over', texts.noMethod, 'bad')
    const offered = others.filter(({ id }) => allowed.includes(id))
    const before = buttons
    buttons = createMethodButtons(offered, (method) => void payWith(method))
    before.remove()
    form.stage.before(buttons)
    finishAttempt('ready', '', 'good')
    if (isFirst) config.onLoad?.()
  }

  /** Google Pay needs the shop's number at Google. @returns {import('./methods.js').Method[]} */
  function listOthers() {
    return checkout.methods.filter(
      (/** @type {{ id: string }} */ { id }) => id !== 'google_pay' || config.googlePay,
    )
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
    if (state !== 'ready' || !checkoutId || !allowed.includes('card')) return
    const errors = form.validate()
    if (errors.length > 0) return notify('invalid', { errors })
    const digits = getDigits(form.getValue('card.number'))
    if (digits === silentCard) return
    state = 'busy'
    const shown = { last_4_digits: digits.slice(-4), card_type: getCardScheme(digits) }
    await send(checkoutId, createPayment(digits), shown)
  }

  /** By a wallet, or away from this page. @param {import('./methods.js').Method} method */
  async function payWith(method) {
    const { checkoutId } = config
    if (state !== 'ready' || !checkoutId) return
    state = 'busy'
    setVisible(false)
    form.showMessage('', 'good')
    const { id, leavesPage } = method
    const outcome = leavesPage ? undefined : await askWallet(form.stage, method)
    if (unmounting.signal.aborted) return
    if (!leavesPage && outcome === undefined) {
      finishAttempt('ready', texts.walletClosed, 'bad')
      return notify('fail')
    }
    const wallet = leavesPage ? {} : { [id]: { outcome } }
    await send(checkoutId, { payment_type: id, ...wallet }, { payment_type: id })
  }

  /** @param {string} checkoutId @param {{ payment_type: string }} payment @param {object} shown */
  async function send(checkoutId, payment, shown) {
    form.showMessage('', 'good')
    form.setBusy(true)
    notify('sent', shown)
    try {
      const { payment_type: type } = payment
      await handleAnswer(checkoutId, type, await gateway.pay(checkoutId, payment))
    } catch (error) {
      finishAttempt('ready', texts.failed, 'bad')
      // The card may have been charged all the same: only the shop's server can find out.
      notify(error instanceof DOMException ? 'fail' : 'error', networkError(error))
    }
  }

  /** @param {string} checkoutId @param {string} type @param {GatewayAnswer} answer */
  async function handleAnswer(checkoutId, type, { ok, status, body }) {
    if (!ok) {
      finishAttempt('ready', texts.failed, 'bad')
      return notify('error', body)
    }
    if (status !== 202) return showResult(body, type)
    if (bankedTypes.includes(type)) notify('auth-screen')
    if (body.next_step.redirect_url) return leaveForChallenge(body.next_step)
    setVisible(false)
    const outcome = await showChallenge(form.stage, body.next_step, unmounting.signal)
    if (unmounting.signal.aborted) return
    if (outcome === 'CANCELLED' || outcome === 'PENDING') {
      // PENDING: the bank's page gave up, but the bank may still approve.
      finishAttempt('ready', outcome === 'PENDING' ? texts.timedOut : texts.cancelled, 'bad')
      return notify('fail')
    }
    showResult(await readResult(checkoutId, maxResultTries), type)
  }

  /** @param {any} body The checkout after the attempt: paid, failed or still pending. @param {string} type */
  function showResult({ methods: _unused, ...body }, type) {
    if (body.status === 'FAILED') finishAttempt('ready', texts.declined, 'bad')
    else finishAttempt('over', body.status === 'PAID' ? texts.paid : texts.pending, 'good')
    const message = body.status === 'FAILED' ? texts.declined : texts.paid
    notify('success', { ...body, payment_method: type, message })
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
  function createPayment(digits) {
    const { month, year } = parseExpiry(form.getValue('card.expiry'))
    const email = form.getValue('email') || config.email
    return {
      payment_type: 'card',
      installments: form.getInstallments(),
      card: {
        number: digits,
        name: form.getValue('card.name') || 'CARDHOLDER',
        expiry_month: month,
        expiry_year: year,
        cvv: form.getValue('card.cvv'),
        type: getCardScheme(digits),
        zip_code: form.getValue('card.zip_code') || undefined,
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
      const hasMoved = checkoutId !== undefined && checkoutId !== config.checkoutId
      const changes = { checkoutId, email, amount, currency, installments }
      for (const [name, value] of Object.entries(changes))
        if (value !== undefined) Object.assign(config, { [name]: value })
      form.setButtonText(buttonText(config, checkout))
      if (hasMoved) void load(false)
    },
  }
}

/** @param {unknown} error */
function networkError(error) {
  const message = error instanceof Error ? error.message : String(error)
  return { message, error_code: 'NETWORK_ERROR' }
}

/**
 * Amount and currency of the options are only displayed; the checkout's amount is charged.
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

/** After this the shop has to ask how the payment went. */
const answerTimeoutMs = 60_000

/** @typedef {{ ok: boolean, status: number, body: any }} GatewayAnswer */
/** @typedef {ReturnType<typeof createGateway>} Gateway */

/** Calls the API at the origin of the widget's script. @param {string} base */
function createGateway(base) {
  /**
   * @param {string} checkoutId
   * @param {RequestInit} [init]
   * @returns {Promise<GatewayAnswer>}
   */
  async function call(checkoutId, init = {}) {
    const response = await fetch(`${base}/v0.2/checkouts/${encodeURIComponent(checkoutId)}`, {
      ...init,
      credentials: 'omit',
      signal: AbortSignal.timeout(answerTimeoutMs),
    })
    return { ok: response.ok, status: response.status, body: await response.json() }
  }

  return {
    /** @param {string} checkoutId */
    read: (checkoutId) => call(checkoutId),
    /** @param {string} checkoutId @param {object} payment */
    pay: (checkoutId, payment) =>
      call(checkoutId, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(payment),
      }),
  }
}

const script = /** @type {HTMLScriptElement | null} */ (document.currentScript)
const base = (script?.src ?? location.href).replace(/\/gateway\/ecom\/card\/v2\/sdk\.js.*$/, '')
const gateway = createGateway(base)

/** By the id of their container. @type {Map<string, import('./widget.js').Widget>} */
const mounted = new Map()

const SumUpCard = {
  /** @param {WidgetConfig} config */
  mount(config) {
    const id = config.id ?? 'sumup-card'
    const container = document.getElementById(id)
    if (container === null) throw new Error(`SumUpCard: there is no element with the id "${id}"`)
    const former = mounted.get(id)
    // Like SumUp's: mounting again without unmounting keeps the old checkout and price.
    if (former?.container === container) return createHandle(id, former)
    former?.unmount()
    const widget = createWidget(container, config, gateway)
    mounted.set(id, widget)
    return createHandle(id, widget)
  },
  unmount(id = 'sumup-card') {
    mounted.get(id)?.unmount()
    mounted.delete(id)
  },
}

/** @param {string} id @param {Widget} widget */
function createHandle(id, widget) {
  return {
    submit: () => widget.submit(),
    /** @param {WidgetConfig} changes */
    update: (changes) => widget.update(changes),
    unmount() {
      widget.unmount()
      if (mounted.get(id) === widget) mounted.delete(id)
    },
  }
}

Object.assign(window, { SumUpCard, SumUpPayment: SumUpCard })
