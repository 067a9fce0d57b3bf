import { formatCardNumber, formatExpiry, getDigits, isCardNumber, isFutureExpiry } from './card.js'

/** British English, whatever the locale option says. */
export const texts = {
  title: 'Pay by card',
  cardNumber: 'Card number',
  cardNumberError: 'Enter the long number on the front of your card',
  expiry: 'Expiry date',
  expiryError: 'Enter a date in the future, as 07/30',
  securityCode: 'Security code',
  securityCodeError: 'Enter the 3 or 4 digits on your card',
  name: 'Name on card (optional)',
  zipCode: 'ZIP code',
  zipCodeError: 'Enter the 5 digits of your ZIP code',
  email: 'Email',
  emailError: 'Enter an email address, as name@example.com',
  installments: 'Instalments',
  pay: 'Pay',
  payWith: 'Pay with',
  walletPays: 'Confirm in the wallet',
  walletDeclines: 'Use a card that is declined',
  walletIsAsked: 'Use a card that the bank asks about',
  walletCloses: 'Close the wallet',
  donate: 'Donate',
  processing: 'Processing…',
  challenge: '3-D Secure authentication',
  paid: 'Payment successful',
  pending: 'Your payment is being confirmed',
  declined: 'Your card was declined. Try again or use another card.',
  failed: 'The payment did not go through. Check your details and try again.',
  walletClosed: 'You closed the wallet. Nothing was charged.',
  cancelled: 'You left the confirmation of your bank. Nothing was charged.',
  timedOut: 'Your bank was not answered in time.',
  notLoaded: 'The payment form could not be loaded.',
  noMethod: 'There is no payment method to choose from.',
  footer: 'Powered by SumUp · sandbox stand-in, no card is charged',
}

/**
 * @typedef {object} FieldOptions
 * @property {string} id
 * @property {string} name
 * @property {string} label
 * @property {string} [error]
 * @property {Partial<HTMLInputElement>} [input]
 * @property {boolean} [wide]
 * @property {(text: string) => string} [format] Applied while typing.
 * @property {(text: string) => boolean} [isValid]
 */

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Partial<HTMLElementTagNameMap[Tag]>} [properties]
 * @param {Record<string, string>} [attributes]
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function createElement(tag, properties = {}, attributes = {}) {
  const element = Object.assign(document.createElement(tag), properties)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  return element
}

/**
 * A label, an input and its error message. It validates on blur and on submit, and on every input once it
 * shows an error.
 * @param {FieldOptions} options
 */
function createField({ id, name, label, error = '', input: properties = {}, ...options }) {
  const { wide = false, format, isValid = () => true } = options
  const root = createElement('div', {
    className: wide ? 'sumup-field sumup-field--wide' : 'sumup-field',
  })
  const input = createElement('input', { id, name, type: 'text', spellcheck: false, ...properties })
  const message = createElement('p', { id: `${id}-error`, className: 'sumup-error', hidden: true })
  root.append(createElement('label', { htmlFor: id, textContent: label }), input, message)

  const validate = () => {
    const valid = isValid(input.value)
    input.setAttribute('aria-invalid', String(!valid))
    if (valid) input.removeAttribute('aria-describedby')
    else input.setAttribute('aria-describedby', message.id)
    message.textContent = valid ? '' : error
    message.hidden = valid
    return valid
  }
  input.addEventListener('input', () => {
    if (format) reformat(input, format)
    if (!message.hidden) validate()
  })
  input.addEventListener('blur', () => {
    if (input.value !== '') validate()
  })
  return { name, root, input, error, validate, value: () => input.value.trim() }
}

/**
 * Formats the value and keeps the caret behind the same digit.
 * @param {HTMLInputElement} input
 * @param {(text: string) => string} format
 */
function reformat(input, format) {
  const formatted = format(input.value)
  if (formatted === input.value) return
  const before = input.value.slice(0, input.selectionStart ?? input.value.length)
  const atEnd = before.length === input.value.length
  const digitsBefore = before.replace(/\D/g, '').length
  input.value = formatted
  let caret = 0
  for (let seen = 0; seen < digitsBefore && caret < formatted.length; caret += 1)
    if (/\d/.test(formatted.charAt(caret))) seen += 1
  const position = atEnd ? formatted.length : caret
  input.setSelectionRange(position, position)
}

/**
 * The payment form, in the shop's own page as SumUp's is.
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
    /** Where the bank's page is shown while the form is hidden. */
    stage,
    /** @param {string} name */
    getValue: (name) => fields.find((field) => field.name === name)?.value() ?? '',
    getInstallments: () => Number(installments?.select.value ?? config.installments ?? 1),
    /** Focuses the first invalid field. */
    validate() {
      const invalid = fields.filter((field) => !field.validate())
      invalid[0]?.input.focus()
      return invalid.map(({ name, error }) => ({ param: name, message: error }))
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
    /** @param {boolean} isVisible */
    setVisible(isVisible) {
      form.hidden = !isVisible
      title.hidden = !isVisible
    },
    /** @param {string} text @param {'good' | 'bad'} tone */
    showMessage(text, tone) {
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
    isValid: isCardNumber,
  })
  const expiry = createField({
    id: `${prefix}-expiry`,
    name: 'card.expiry',
    label: texts.expiry,
    error: texts.expiryError,
    input: { autocomplete: 'cc-exp', inputMode: 'numeric', placeholder: 'MM/YY' },
    format: formatExpiry,
    isValid: (text) => isFutureExpiry(text),
  })
  const code = createField({
    id: `${prefix}-cvv`,
    name: 'card.cvv',
    label: texts.securityCode,
    error: texts.securityCodeError,
    input: { autocomplete: 'cc-csc', inputMode: 'numeric', placeholder: '123' },
    format: (text) => getDigits(text).slice(0, 4),
    isValid: (text) => /^\d{3,4}$/.test(text),
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
    isValid: (text) => /^\d{5}$/.test(text.trim()),
  })
  const email = createField({
    id: `${prefix}-email`,
    name: 'email',
    label: texts.email,
    error: texts.emailError,
    wide: true,
    input: { autocomplete: 'email', inputMode: 'email', value: config.email ?? '' },
    isValid: (text) => /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text.trim()),
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
