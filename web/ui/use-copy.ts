import { useEffect, useRef, useState } from 'react'

import { copyText } from './copy-text.ts'

/** How long a copy button wears its tick. */
const tickMs = 2000

export function useCopy(text: string) {
  const [isCopied, setIsCopied] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  async function copy() {
    if (!(await copyText(text))) return
    setIsCopied(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setIsCopied(false), tickMs)
  }

  return { isCopied, copy: () => void copy() }
}
