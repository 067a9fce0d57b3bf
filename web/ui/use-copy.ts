import { useEffect, useRef, useState } from 'react'

import { isLoopback } from './loopback-address.ts'
import { toast } from './use-toast.ts'

/** How long a copy button shows its tick. */
const copiedMs = 2000

export function useCopy(text: string) {
  const [copied, setCopied] = useState<string>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  async function copy() {
    if (!(await copyText(text))) return
    setCopied(text)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setCopied(undefined), copiedMs)
  }

  return { isCopied: copied === text, copy: () => void copy() }
}

/** Copies a text and shows a toast. Returns whether it worked. */
export async function copyText(text: string): Promise<boolean> {
  const isCopied = (await writeToClipboard(text)) || copyBySelecting(text)
  toast(
    isCopied
      ? {
          title: 'Copied!',
          ...(isLoopback(text) && {
            description:
              'This link works on this computer only: the shop has no public address yet.',
          }),
        }
      : {
          title: 'Copying did not work',
          description: 'Your browser does not allow it here. Select the text and copy it by hand.',
          variant: 'destructive',
        },
  )
  return isCopied
}

/** The clipboard exists on secure origins only, and may be refused even there. */
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

/** For plain http. A selection needs no focus, so an open dialog keeps it. */
function copyBySelecting(text: string): boolean {
  const element = document.createElement('span')
  element.textContent = text
  element.ariaHidden = 'true'
  Object.assign(element.style, {
    position: 'fixed',
    clip: 'rect(0 0 0 0)',
    whiteSpace: 'pre',
    userSelect: 'text',
  })
  document.body.append(element)
  const selection = getSelection()
  selection?.selectAllChildren(element)
  try {
    // oxlint-disable-next-line typescript/no-deprecated -- the only way to copy where there is no navigator.clipboard
    return document.execCommand('copy')
  } finally {
    selection?.removeAllRanges()
    element.remove()
  }
}
