import { useState } from 'react'

import { playSound, setSignal, useSignal } from '#web/admin/news/news-signals.ts'
import { CheckboxField } from '#web/ui/fields.tsx'
import { Notice } from '#web/ui/notice.tsx'

import { SectionPart } from './account-form.tsx'

/** How this browser tells of new orders and withdrawals, besides the number in the tab's title. */
export function NewsSection() {
  const isSoundOn = useSignal('sound')
  const isNotificationOn = useSignal('notification')
  const [problem, setProblem] = useState<string>()

  async function changeNotification(isOn: boolean) {
    setProblem(undefined)
    if (!isOn) return void setSignal('notification', false)
    const refusal = await askForPermission()
    setProblem(refusal)
    if (!refusal) setSignal('notification', true)
  }

  return (
    <SectionPart title="When an order or a withdrawal comes in">
      <p className="text-sm text-soft">
        Open pages say so, and the tab’s title counts. What you choose here holds for this browser
        only, while a page of the back-office is open.
      </p>
      <CheckboxField
        label="Play a sound"
        checked={isSoundOn}
        onChange={({ target }) => {
          setSignal('sound', target.checked)
          if (target.checked) playSound()
        }}
        className="mt-4"
      />
      <CheckboxField
        label="Show a browser notification"
        hint="Not while you are looking at a list of orders. It names no customer."
        checked={isNotificationOn}
        onChange={({ target }) => void changeNotification(target.checked)}
        className="mt-4"
      />
      {problem && (
        <Notice look="danger" className="mt-4">
          <p role="alert">{problem}</p>
        </Notice>
      )}
    </SectionPart>
  )
}

/** Returns what stands in the way, if anything. */
async function askForPermission(): Promise<string | undefined> {
  if (!('Notification' in globalThis) || !isSecureContext)
    return 'This browser shows no notifications for this page. They need HTTPS.'
  const permission = await Notification.requestPermission()
  if (permission === 'granted') return undefined
  return 'The browser does not allow notifications from this page. Allow them in its settings for this site, and try again.'
}
