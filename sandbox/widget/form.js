import { digitsOf, formatCardNumber, formatExpiry, isCardNumber, isFutureExpiry } from './card.js'
import { createElement, createField } from './fields.js'
import { texts } from './texts.js'

/** @typedef {ReturnType<typeof createForm>} PaymentForm */

/**
 * The widget's own form in the shop's page, as SumUp's is.
 * @param {import('./widget.js').WidgetConfig} config
 * @param {() => void} onSubmit
 */
export function createForm(config, onSubmit) {
  const prefix = config.id ?? 'sumup-card'
  const fields = createFields(prefix, config)
  const grid = createElement('div', { className: 'sumup-fields' })
  grid.append(...fields.map((field) => field.root))

  const option = createElement(
    'div',
    {},
    { 'data-sumup-id': 'payment_option', 'data-sumup-item': 'card' },
  )
  option.append(
    createElement('input', { type: 'hidden', name: 'payment_type', value: 'card' }),
    grid,
  )
  const installments = createInstallments(prefix, config)
  const button = createElement('button', { type: 'submit' }, { 'data-sumup-id': 'submit_button' })
  const form = createElement('form', { noValidate: true }, { 'aria-label': texts.title })
  form.append(option)
  if (installments) grid.append(installments.root)
  if (config.showSubmitButton ?? true) form.append(button)

  const title = createElement(
    'p',
    { textContent: texts.title },
    { 'data-sumup-id': 'widget_header__title' },
  )
  const message = createElement('p', { className: 'sumup-message', hidden: true })
  const stage = createElement('div')
  const root = createElement('div', {}, { 'data-sumup-id': 'widget__container' })
  root.append(title, form, stage, message)
  if (config.showFooter ?? true)
    root.append(createElement('p', { className: 'sumup-footer', textContent: texts.footer }))

  let buttonText = ''
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    onSubmit()
  })

  return {
    root,
    /** Where the bank's page goes while the form is away. */
    stage,
    /** @param {string} name */
    value: (name) => fields.find((field) => field.name === name)?.value() ?? '',
    installments: () => Number(installments?.select.value ?? config.installments ?? 1),
    /** The fields in error, the first of them with the focus. */
    findErrors() {
      const wrong = fields.filter((field) => !field.check())
      wrong[0]?.input.focus()
      return wrong.map(({ name, error }) => ({ param: name, message: error }))
    },
    /** @param {string} text */
    setButtonText(text) {
      buttonText = text
      button.textContent = text
    },
    /** @param {boolean} busy */
    setBusy(busy) {
      root.setAttribute('aria-busy', String(busy))
      button.setAttribute('aria-disabled', String(busy))
      button.textContent = busy ? texts.processing : buttonText
      for (const { input } of fields) input.readOnly = busy
    },
    /** @param {boolean} shown */
    show(shown) {
      form.hidden = !shown
      title.hidden = !shown
    },
    /** @param {string} text @param {'good' | 'bad'} tone */
    say(text, tone) {
      message.textContent = text
      message.hidden = text === ''
      message.className = `sumup-message sumup-message--${tone}`
      message.setAttribute('role', tone === 'bad' ? 'alert' : 'status')
    },
  }
}

/** @param {string} prefix @param {import('./widget.js').WidgetConfig} config */
function createFields(prefix, config) {
  const number = createField({
    id: `${prefix}-number`,
    name: 'card.number',
    label: texts.cardNumber,
    error: texts.cardNumberError,
    wide: true,
    input: { autocomplete: 'cc-number', inputMode: 'numeric', placeholder: '0000 0000 0000 0000' },
    format: formatCardNumber,
    isGood: isCardNumber,
  })
  const expiry = createField({
    id: `${prefix}-expiry`,
    name: 'card.expiry',
    label: texts.expiry,
    error: texts.expiryError,
    input: { autocomplete: 'cc-exp', inputMode: 'numeric', placeholder: 'MM/YY' },
    format: formatExpiry,
    isGood: (text) => isFutureExpiry(text),
  })
  const code = createField({
    id: `${prefix}-cvv`,
    name: 'card.cvv',
    label: texts.securityCode,
    error: texts.securityCodeError,
    input: { autocomplete: 'cc-csc', inputMode: 'numeric', placeholder: '123' },
    format: (text) => digitsOf(text).slice(0, 4),
    isGood: (text) => /^\d{3,4}$/.test(text),
  })
  const name = createField({
    id: `${prefix}-name`,
    name: 'card.name',
    label: texts.name,
    wide: true,
    input: { autocomplete: 'cc-name' },
  })
  const zip = createField({
    id: `${prefix}-zip`,
    name: 'card.zip_code',
    label: texts.zipCode,
    error: texts.zipCodeError,
    wide: true,
    input: { autocomplete: 'billing postal-code', inputMode: 'numeric' },
    isGood: (text) => /^\d{5}$/.test(text.trim()),
  })
  const email = createField({
    id: `${prefix}-email`,
    name: 'email',
    label: texts.email,
    error: texts.emailError,
    wide: true,
    input: { autocomplete: 'email', inputMode: 'email', value: config.email ?? '' },
    isGood: (text) => /^\S+@\S+\.\S+$/.test(text.trim()),
  })
  return [
    number,
    expiry,
    code,
    name,
    ...(config.showZipCode ? [zip] : []),
    ...(config.showEmail ? [email] : []),
  ]
}

/** @param {string} prefix @param {import('./widget.js').WidgetConfig} config */
function createInstallments(prefix, config) {
  if (!config.showInstallments) return undefined
  const select = createElement('select', { id: `${prefix}-installments`, name: 'installments' })
  for (let count = 1; count <= (config.maxInstallments ?? 12); count += 1)
    select.append(createElement('option', { value: String(count), textContent: String(count) }))
  select.value = String(config.installments ?? 1)
  select.addEventListener('change', () => config.onChangeInstallments?.(Number(select.value)))
  const root = createElement('div', { className: 'sumup-field sumup-field--wide' })
  root.append(
    createElement('label', { htmlFor: select.id, textContent: texts.installments }),
    select,
  )
  return { root, select }
}
