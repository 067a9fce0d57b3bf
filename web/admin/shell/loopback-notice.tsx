import { Link } from 'wouter'

import { isLoopback } from '#web/ui/loopback-address.ts'
import { Notice } from '#web/ui/notice.tsx'

import { useSettingsPlace } from './settings-place.ts'

type LoopbackNoticeProps = {
  link: string
  /** What does not work for others: 'This link', 'The code and the QR code'. */
  what: string
  /** Closes the dialog around it on the way to the settings. */
  onLeave?: () => void
  className?: string
}

/** Shown beside a link that works on the shop's own computer only. */
export function LoopbackNotice({ link, what, onLeave, className }: LoopbackNoticeProps) {
  const { hrefOf } = useSettingsPlace()
  if (!isLoopback(link)) return null
  return (
    <Notice look="warning" {...(className && { className })}>
      {what} on this computer only, because the shop does not know its public address yet.{' '}
      <Link
        href={hrefOf('address')}
        state={{ isOpenedHere: true }}
        onClick={onLeave}
        className="font-medium underline underline-offset-2"
      >
        Set the public address
      </Link>{' '}
      first, then share.
    </Notice>
  )
}
