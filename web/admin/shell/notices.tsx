import {
  ChevronDown,
  ChevronUp,
  CreditCard,
  DatabaseBackup,
  FlaskConical,
  Info,
  KeyRound,
  Mail,
  MapPinOff,
  Network,
  ScanLine,
  Settings,
  ShieldAlert,
  Store,
  TriangleAlert,
} from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'

import type { Notice } from '#contract/admin.ts'
import { useDismissNotice, useFoldNotices, useSellCounted } from '#web/admin/session/session.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'

import { useSettingsPlace } from './settings-place.ts'

const icons = {
  'test-mode': FlaskConical,
  payments: TriangleAlert,
  'custom-domain': ShieldAlert,
  proxy: Network,
  'card-form': ScanLine,
  mail: Mail,
  cards: CreditCard,
  'geo-locations': MapPinOff,
  passwords: KeyRound,
  backup: DatabaseBackup,
  seller: Store,
  settings: Settings,
  restored: DatabaseBackup,
}

/**
 * What the owner should know about the shop, above every page until it is put right. One line of titles, which opens;
 * the first urgent notice is shown whole until this person has folded it away, then the next one. Little more than one line either way, so
 * that the page below keeps its room.
 */
export function Notices({ notices }: { notices: Notice[] }) {
  const { shown, isOpen, open, fold } = useFolding(notices)
  if (notices.length === 0) return null
  const isFolded = shown.length === 0

  return (
    <section
      aria-label="About this shop"
      className={classNames(
        'flex items-start gap-x-4 border-b border-line px-4 py-1 text-sm sm:px-8',
        isFolded ? undefined : 'max-sm:flex-col',
        notices.some(({ isUrgent }) => isUrgent) ? 'bg-danger-wash' : 'bg-warning-wash',
      )}
    >
      {isFolded ? (
        <FoldedTitles notices={notices} />
      ) : (
        <ul className="min-w-0 flex-1">
          {shown.map((notice) => (
            <NoticeItem key={notice.id} notice={notice} />
          ))}
        </ul>
      )}
      <div className="ms-auto -me-3 flex shrink-0">
        {!isOpen && (isFolded || notices.length > 1) && (
          <Button look="bare" aria-expanded={false} onClick={open} className="px-3">
            {isFolded ? 'Read more' : `All ${notices.length} notices`}
            <ChevronDown aria-hidden className="size-4" />
          </Button>
        )}
        {!isFolded && (
          <Button look="bare" aria-expanded onClick={fold} className="px-3">
            Hide
            <ChevronUp aria-hidden className="size-4" />
          </Button>
        )}
      </div>
    </section>
  )
}

/** One line, cut off where it ends. */
function FoldedTitles({ notices }: { notices: Notice[] }) {
  const isUrgent = notices.some((notice) => notice.isUrgent)
  const Icon = isUrgent ? TriangleAlert : Info

  return (
    <p
      className={classNames(
        'flex min-h-9 min-w-0 flex-1 items-center gap-2 pointer-coarse:min-h-11',
        isUrgent ? 'font-semibold text-danger' : 'text-warning',
      )}
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      <span className="truncate">{notices.map(({ title }) => title).join(' ')}</span>
    </p>
  )
}

/** What the button of a notice leads to. */
const actions: Partial<Record<Notice['kind'], string>> = {
  'test-mode': 'Connect SumUp',
  payments: 'Check SumUp account',
  'custom-domain': 'Set domain',
  mail: 'Add mail server',
  passwords: 'Change password',
  seller: 'Enter shop details',
  restored: 'Check SumUp account',
}
const otherAction = 'Correct settings'

function NoticeItem({ notice }: { notice: Notice }) {
  const { kind, title, text, howTo, place, since, action, isUrgent } = notice
  const { hrefOf } = useSettingsPlace()
  const Icon = icons[kind]

  return (
    <li className="flex items-start gap-2 py-2">
      <Icon
        aria-hidden
        className={classNames('mt-0.5 size-4 shrink-0', isUrgent ? 'text-danger' : 'text-warning')}
      />
      <p className="min-w-0 flex-1 wrap-anywhere">
        <strong className={classNames('font-semibold', isUrgent && 'text-danger')}>{title}</strong>{' '}
        {text}{' '}
        {howTo && (
          <small className="text-xs text-soft">
            On the server: <code className="font-mono">{howTo}</code>
          </small>
        )}
      </p>
      {place && (
        <Link
          href={hrefOf(place)}
          state={{ isOpenedHere: true }}
          aria-label={`${actions[kind] ?? otherAction}: ${title}`}
          className="inline-flex h-9 shrink-0 items-center rounded-lg border border-line-strong/60 bg-card px-4 font-medium shadow-rest hover:border-line-strong hover:bg-well pointer-coarse:h-11"
        >
          {actions[kind] ?? otherAction}
        </Link>
      )}
      {action === 'sell-counted' && <SellCountedButton />}
      {since && <DismissButton notice={notice} />}
    </li>
  )
}

/** The owner has read the notice, so it goes, for all admins. */
function DismissButton({ notice }: { notice: Notice }) {
  const { dismiss, isPending } = useDismissNotice(notice)
  return (
    <Button className="shrink-0" isPending={isPending} onClick={dismiss}>
      {notice.kind === 'restored' ? 'I have looked' : 'Got it'}
    </Button>
  )
}

/** The owner does not wait until a restored shop knows all payments. */
function SellCountedButton() {
  const { sell, isPending } = useSellCounted()
  return (
    <Button className="shrink-0" isPending={isPending} onClick={sell}>
      Sell counted products now
    </Button>
  )
}

/**
 * What is folded away comes with the notices and holds in every browser of this person. Opening the line is for reading
 * it now.
 */
function useFolding(notices: Notice[]) {
  const [isOpen, setIsOpen] = useState(false)
  const foldAway = useFoldNotices(notices)
  const newUrgent = notices.find(({ isUrgent, isFolded }) => isUrgent && !isFolded)
  const shown = isOpen ? notices : newUrgent ? [newUrgent] : []

  return {
    isOpen,
    shown,
    open: () => setIsOpen(true),
    fold: () => {
      setIsOpen(false)
      foldAway(shown)
    },
  }
}
