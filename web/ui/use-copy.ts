import { useEffect, useRef, useState } from 'react'

import { copyText } from './copy-text.ts'

/** How long a copy button wears its tick. */
const tickMs = 2000

export function useCopy(text: string) {
  const [copied, setCopied] = useState<string>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  async function copy() {
    if (!(await copyText(text))) return
    setCopied(text)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setCopied(undefined), tickMs)
  }

  return { isCopied: copied === text, copy: () => void copy() }
}
