import { CreditCard, FlaskConical, Mail, MapPinOff, TriangleAlert } from 'lucide-react'

import type { Notice } from '#contract/admin.ts'

const icons = {
  'test-mode': FlaskConical,
  payments: TriangleAlert,
  mail: Mail,
  cards: CreditCard,
  places: MapPinOff,
}

/** What the owner should know about the shop's set-up, above every page until it is mended. */
export function Notices({ notices }: { notices: Notice[] }) {
  if (notices.length === 0) return null
  return (
    <section aria-label="About this shop" className="border-b border-line bg-warning-wash">
      <ul className="text-warning">
        {notices.map(({ kind, text }) => (
          <NoticeLine key={kind} kind={kind} text={text} />
        ))}
      </ul>
    </section>
  )
}

function NoticeLine({ kind, text }: Notice) {
  const Icon = icons[kind]
  return (
    <li className="flex items-start gap-2 px-4 py-2 text-sm sm:px-8">
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>{text}</span>
    </li>
  )
}
