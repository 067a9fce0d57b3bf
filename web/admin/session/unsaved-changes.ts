import { useEffect, useEffectEvent, useState } from 'react'

/** Asks before unsaved changes are lost by closing the dialog, by Back, or by leaving the page. */
export function useUnsavedChanges(isUnsaved: boolean, onClose: () => void) {
  const [question, setQuestion] = useState<'none' | 'close' | 'go-back'>('none')
  const askBeforeBack = useEffectEvent(() => setQuestion('go-back'))
  useEffect(() => {
    if (!isUnsaved) return
    const allowUnload = confirmUnload()
    const allowBack = blockBack(() => askBeforeBack())
    return () => {
      allowUnload()
      allowBack()
    }
  }, [isUnsaved])

  return {
    isAsking: question !== 'none',
    requestClose: () => (isUnsaved ? setQuestion('close') : onClose()),
    stay: () => setQuestion('none'),
    leave: () => {
      // Closing may go back itself.
      backBlocker = undefined
      onClose()
      if (question === 'go-back') history.back()
    },
  }
}

/** The browser asks before the tab is closed or reloaded, until the returned function is called. */
export function confirmUnload(): () => void {
  const preventUnload = (event: Event) => event.preventDefault()
  window.addEventListener('beforeunload', preventUnload)
  return () => window.removeEventListener('beforeunload', preventUnload)
}

let backBlocker: { href: string; onBack: () => void } | undefined

/**
 * When popstate fires the address has already changed, so it is restored before the router reads it. Must be called
 * before anything renders, because the router's listener has to come second.
 */
export function guardBackNavigation(): void {
  addEventListener('popstate', (event) => {
    if (!backBlocker) return
    event.stopImmediatePropagation()
    history.pushState(null, '', backBlocker.href)
    backBlocker.onBack()
  })
}

/** Whether leaving would ask first. */
export function hasUnsavedChanges(): boolean {
  return backBlocker !== undefined
}

/** Back calls `onBack` instead of navigating, until the returned function is called. */
function blockBack(onBack: () => void): () => void {
  const blocker = { href: location.href, onBack }
  backBlocker = blocker
  return () => {
    if (backBlocker === blocker) backBlocker = undefined
  }
}
