import { createElement, texts } from './form.js'

/** @typedef {{ id: string, name: string, leavesPage: boolean }} Method */

/**
 * A button for each way to pay beside the card.
 * @param {Method[]} methods
 * @param {(method: Method) => void} onChoose
 */
export function createMethodButtons(methods, onChoose) {
  const root = createElement('div', { className: 'sumup-methods' })
  for (const method of methods) {
    const button = createElement(
      'button',
      { type: 'button', textContent: `${texts.payWith} ${method.name}` },
      { 'data-sumup-id': 'payment_option', 'data-sumup-item': method.id },
    )
    button.addEventListener('click', () => onChoose(method))
    root.append(button)
  }
  return root
}

/**
 * Stands for the sheet of the phone or browser that asks the payer. Resolves to what the wallet then says, or to
 * undefined if the payer closed it.
 * @param {HTMLElement} stage
 * @param {Method} method
 * @returns {Promise<'approved' | 'declined' | 'challenged' | undefined>}
 */
export function askWallet(stage, { name }) {
  const sheet = createElement(
    'div',
    { className: 'sumup-methods' },
    { role: 'group', 'aria-label': name },
  )
  stage.replaceChildren(sheet)
  return new Promise((resolve) => {
    /** @type {[string, 'approved' | 'declined' | 'challenged' | undefined][]} */
    const answers = [
      [texts.walletPays, 'approved'],
      [texts.walletDeclines, 'declined'],
      [texts.walletIsAsked, 'challenged'],
      [texts.walletCloses, undefined],
    ]
    for (const [textContent, outcome] of answers) {
      const button = createElement('button', { type: 'button', textContent })
      button.addEventListener('click', () => {
        sheet.remove()
        resolve(outcome)
      })
      sheet.append(button)
    }
    sheet.querySelector('button')?.focus()
  })
}
