import { isLoopback } from './loopback-address.ts'
import { Notice } from './notice.tsx'

type LoopbackNoticeProps = {
  link: string
  /** What does not work for others: 'This link', 'The code and the QR code'. */
  what: string
  className?: string
}

/** Shown beside a link that works on the shop's own computer only. */
export function LoopbackNotice({ link, what, className }: LoopbackNoticeProps) {
  if (!isLoopback(link)) return null
  return (
    <Notice look="warning" {...(className && { className })}>
      {what} on this computer only, because the shop does not know its public address yet. Set it
      first, then share.{' '}
      <small className="text-xs text-soft">
        On the server: <code className="font-mono">PUBLIC_URL=https://shop.example.com</code>
      </small>
    </Notice>
  )
}
