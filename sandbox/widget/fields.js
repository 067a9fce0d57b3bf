/**
 * @typedef {object} FieldOptions
 * @property {string} id
 * @property {string} name
 * @property {string} label
 * @property {string} [error]
 * @property {Partial<HTMLInputElement>} [input]
 * @property {boolean} [wide]
 * @property {(text: string) => string} [format] As it is written while typing.
 * @property {(text: string) => boolean} [isGood]
 */

/** @typedef {ReturnType<typeof createField>} Field */

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
 * A label, an input and the place of its error. It complains when left with a wrong value or at submit,
 * never while typing for the first time; once in error it looks at every stroke.
 * @param {FieldOptions} options
 */
export function createField({ id, name, label, error = '', input: more = {}, ...options }) {
  const { wide = false, format, isGood = () => true } = options
  const root = createElement('div', {
    className: wide ? 'sumup-field sumup-field--wide' : 'sumup-field',
  })
  const input = createElement('input', { id, name, type: 'text', spellcheck: false, ...more })
  const message = createElement('p', { id: `${id}-error`, className: 'sumup-error', hidden: true })
  root.append(createElement('label', { htmlFor: id, textContent: label }), input, message)

  const check = () => {
    const good = isGood(input.value)
    input.setAttribute('aria-invalid', String(!good))
    if (good) input.removeAttribute('aria-describedby')
    else input.setAttribute('aria-describedby', message.id)
    message.textContent = good ? '' : error
    message.hidden = good
    return good
  }
  input.addEventListener('input', () => {
    if (format) reformat(input, format)
    if (!message.hidden) check()
  })
  input.addEventListener('blur', () => {
    if (input.value !== '') check()
  })
  return { name, root, input, error, check, value: () => input.value.trim() }
}

/**
 * Writes the value anew and keeps the caret behind the same digit.
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
