import { languageQuery } from '#contract/languages.ts'
import { copyText } from '#web/ui/use-copy.ts'

import { handleWithdrawal } from './withdraw.ts'

/** How long a copy button shows its tick. */
const copiedMs = 2000

/** Adds behaviour to the parts of a page that are static HTML, which React does not hydrate. */
export function enhanceStaticHtml(): void {
  document.addEventListener('click', (event) => {
    const { target } = event
    if (!(target instanceof Element)) return
    openLinkedDialog(target.closest<HTMLElement>('[data-open-dialog]'), event)
    void copy(target.closest<HTMLElement>('[data-copy]'))
    if (target.closest('[data-print]')) print()
    toggleDisclosure(target.closest('[aria-expanded][aria-controls]'))
    if (target instanceof HTMLDialogElement) closeOnBackdropClick(target, event)
  })
  handleWithdrawal()
  keepQuery()
  // A link to a dialog that was opened in a new tab.
  openDialog(location.hash.slice(1))
  for (const logo of document.querySelectorAll<HTMLImageElement>('img[data-shop-logo]'))
    onBroken(logo, () => logo.replaceWith(logo.alt))
  for (const picture of document.querySelectorAll<HTMLImageElement>('img[data-product-picture]'))
    onBroken(picture, () => (picture.hidden = true))
}

/** A page in another language keeps what its address says, such as a discount code. The same page is sent to all. */
function keepQuery(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('nav a[hreflang]')) {
    const query = new URLSearchParams(location.search)
    query.set(languageQuery, link.hreflang)
    link.search = String(query)
  }
}

async function copy(button: HTMLElement | null): Promise<void> {
  if (!button || !(await copyText(button.dataset.copy ?? ''))) return
  button.dataset.copied = ''
  setTimeout(() => delete button.dataset.copied, copiedMs)
}

function openLinkedDialog(link: HTMLElement | null, event: MouseEvent): void {
  const isForNewTab = event.ctrlKey || event.metaKey || event.shiftKey
  if (!link || isForNewTab) return
  event.preventDefault()
  openDialog(link.dataset.openDialog ?? '')
}

/** The dialog is in the page only while it is open. */
function openDialog(id: string): void {
  const template = document.getElementById(id)
  if (!(template instanceof HTMLTemplateElement)) return
  const dialog = document.importNode(template.content, true).querySelector('dialog')
  if (!dialog) return
  dialog.addEventListener('close', () => dialog.remove())
  template.after(dialog)
  dialog.showModal()
}

function closeOnBackdropClick(dialog: HTMLDialogElement, { clientX, clientY }: MouseEvent): void {
  const { left, right, top, bottom } = dialog.getBoundingClientRect()
  const isInside = clientX >= left && clientX <= right && clientY >= top && clientY <= bottom
  if (!isInside) dialog.close()
}

/** The button's label changes places with the one it has for its other state. */
function toggleDisclosure(button: Element | null): void {
  if (!button) return
  button.ariaExpanded = button.ariaExpanded === 'true' ? 'false' : 'true'
  const label = button.querySelector<HTMLElement>('[data-other-label]')
  if (!label) return
  const { textContent, dataset } = label
  label.textContent = dataset.otherLabel ?? ''
  dataset.otherLabel = textContent
}

/** The image may have failed before this script was loaded. */
function onBroken(image: HTMLImageElement, handle: () => void): void {
  if (image.complete && image.naturalWidth === 0) handle()
  else image.addEventListener('error', handle)
}
