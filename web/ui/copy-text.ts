import { toast } from './use-toast.ts'

/** Puts a text on the clipboard and says so. Answers whether it is there. */
export async function copyText(text: string): Promise<boolean> {
  const isCopied = (await writeToClipboard(text)) || copyBySelecting(text)
  toast(
    isCopied
      ? { title: 'Copied!' }
      : {
          title: 'Copying did not work',
          description: 'Your browser does not allow it here. Select the text and copy it by hand.',
          variant: 'destructive',
        },
  )
  return isCopied
}

/** Browsers offer the clipboard to secure origins only, and may refuse it even there. */
async function writeToClipboard(text: string): Promise<boolean> {
  const clipboard = navigator.clipboard as Clipboard | undefined
  if (!clipboard) return false
  try {
    await clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** The old way, for plain http. A selection needs no focus, so an open dialog keeps its own. */
function copyBySelecting(text: string): boolean {
  const place = document.createElement('span')
  place.textContent = text
  place.ariaHidden = 'true'
  Object.assign(place.style, {
    position: 'fixed',
    clip: 'rect(0 0 0 0)',
    whiteSpace: 'pre',
    userSelect: 'text',
  })
  document.body.append(place)
  const selection = getSelection()
  selection?.selectAllChildren(place)
  try {
    // oxlint-disable-next-line typescript/no-deprecated -- the only way to copy where there is no navigator.clipboard
    return document.execCommand('copy')
  } finally {
    selection?.removeAllRanges()
    place.remove()
  }
}
