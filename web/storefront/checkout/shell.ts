import { copyText } from '#web/ui/copy-text.ts'

/** How long a copy button wears its tick, in ms. */
const tickMs = 2000

/** Brings what the server wrote as plain HTML to life. */
export function wireShell(): void {
  document.addEventListener('click', (event) => {
    if (!(event.target instanceof Element)) return
    openDialog(event.target.closest<HTMLElement>('[data-opens]'))
    void copyFrom(event.target.closest<HTMLElement>('[data-copies]'))
    if (event.target.closest('[data-prints]')) print()
    foldOrUnfold(event.target.closest('[aria-expanded][aria-controls]'))
    if (event.target instanceof HTMLDialogElement) closeBeside(event.target, event)
  })
  for (const logo of document.querySelectorAll<HTMLImageElement>('img[data-shop-logo]'))
    whenBroken(logo, () => logo.replaceWith(logo.alt))
  for (const picture of document.querySelectorAll<HTMLImageElement>('img[data-product-picture]'))
    whenBroken(picture, () => (picture.hidden = true))
}

async function copyFrom(button: HTMLElement | null): Promise<void> {
  if (!button || !(await copyText(button.dataset.copies ?? ''))) return
  button.dataset.copied = ''
  setTimeout(() => delete button.dataset.copied, tickMs)
}

/** The dialog is in the page only while it is open. */
function openDialog(button: HTMLElement | null): void {
  const template = button && document.getElementById(button.dataset.opens ?? '')
  if (!(template instanceof HTMLTemplateElement)) return
  const dialog = document.importNode(template.content, true).querySelector('dialog')
  if (!dialog) return
  dialog.addEventListener('close', () => dialog.remove())
  template.after(dialog)
  dialog.showModal()
}

/** A click beside a dialog is a second way out; Esc is the first. */
function closeBeside(dialog: HTMLDialogElement, { clientX, clientY }: MouseEvent): void {
  const { left, right, top, bottom } = dialog.getBoundingClientRect()
  const isInside = clientX >= left && clientX <= right && clientY >= top && clientY <= bottom
  if (!isInside) dialog.close()
}

function foldOrUnfold(button: Element | null): void {
  if (!button) return
  button.ariaExpanded = button.ariaExpanded === 'true' ? 'false' : 'true'
  const label = button.querySelector<HTMLElement>('[data-unfolded]')
  if (!label) return
  const { textContent, dataset } = label
  label.textContent = dataset.unfolded ?? ''
  dataset.unfolded = textContent
}

/** A picture may have failed before this script was there to hear of it. */
function whenBroken(picture: HTMLImageElement, giveWay: () => void): void {
  if (picture.complete && picture.naturalWidth === 0) giveWay()
  else picture.addEventListener('error', giveWay)
}
