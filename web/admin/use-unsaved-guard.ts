import { useEffect, useEffectEvent, useState } from 'react'

import { guardBack } from '#web/admin/back-guard.ts'
import { useAskBeforeUnload } from '#web/admin/use-ask-before-unload.ts'

/** Nothing that was typed is lost without a question: not by closing, not by going back, not by leaving the page. */
export function useUnsavedGuard(isUnsaved: boolean, onClose: () => void) {
  const [question, setQuestion] = useState<'none' | 'close' | 'go-back'>('none')
  useAskBeforeUnload(isUnsaved)
  useStayOnBack(isUnsaved, () => setQuestion('go-back'))

  return {
    isAsking: question !== 'none',
    requestClose: () => (isUnsaved ? setQuestion('close') : onClose()),
    stay: () => setQuestion('none'),
    leave: () => {
      onClose()
      if (question === 'go-back') history.back()
    },
  }
}

function useStayOnBack(isUnsaved: boolean, onBack: () => void) {
  const ask = useEffectEvent(onBack)
  useEffect(() => (isUnsaved ? guardBack(() => ask()) : undefined), [isUnsaved])
}
