import { KeyRound, type LucideIcon, ScrollText, ShieldCheck, Users } from 'lucide-react'
import { type ComponentType, useState } from 'react'
import { Link } from 'wouter'

import { type PlaceName, places } from '#web/admin/shell/places.ts'
import { useSettingsPlace } from '#web/admin/shell/settings-place.ts'
import { useUnsavedChanges } from '#web/admin/shell/unsaved-changes.ts'
import { classNames } from '#web/ui/class-names.ts'
import { ConfirmDialog, Dialog } from '#web/ui/dialog.tsx'

import type { SectionProps } from './account-form.tsx'
import { LogSection } from './log-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { PeopleSection } from './people-section.tsx'
import { SecuritySection } from './security-section.tsx'

type Section = { icon: LucideIcon; content: ComponentType<SectionProps> }

const sections = {
  account: { icon: KeyRound, content: PasswordSection },
  security: { icon: ShieldCheck, content: SecuritySection },
  people: { icon: Users, content: PeopleSection },
  log: { icon: ScrollText, content: LogSection },
} satisfies Partial<Record<PlaceName, Section>>

type SectionName = keyof typeof sections

/** Open while `?settings=` names one of its sections. */
export function AccountDialog() {
  const { place, close } = useSettingsPlace()
  return place && isSection(place) ? <OpenDialog place={place} onClose={close} /> : null
}

function isSection(place: string): place is SectionName {
  return Object.hasOwn(sections, place)
}

type OpenDialogProps = { place: SectionName; onClose: () => void }

function OpenDialog({ place, onClose }: OpenDialogProps) {
  const [isHeld, setIsHeld] = useState(false)
  const unsaved = useUnsavedChanges(isHeld, onClose)
  const Content = sections[place].content

  return (
    <Dialog
      title="Account"
      description="Your sign-in, who else runs this shop, and who did what."
      onClose={unsaved.requestClose}
      className="max-w-3xl"
    >
      {!isHeld && <SectionMenu place={place} />}
      {/* As tall as most sections, so that switching does not move the menu. */}
      <div className="min-h-112">
        <Content key={place} onHold={setIsHeld} />
      </div>
      {unsaved.isAsking && (
        <ConfirmDialog
          title="Have you kept your recovery codes?"
          description="They are shown this once. Without them and without your phone you cannot sign in."
          keepLabel="Show them"
          loseLabel="I have them"
          onKeep={unsaved.stay}
          onLose={unsaved.leave}
        />
      )}
    </Dialog>
  )
}

function SectionMenu({ place }: { place: SectionName }) {
  const { hrefOf } = useSettingsPlace()

  return (
    <nav aria-label="Account" className="mb-6 overflow-x-auto">
      <ul className="flex w-fit gap-1 rounded-xl bg-well p-1">
        {Object.entries(sections).map(([name, { icon: Icon }]) => (
          <li key={name}>
            <Link
              href={hrefOf(name)}
              replace
              state={history.state as unknown}
              aria-current={name === place ? 'page' : undefined}
              className={classNames(
                'flex h-9 items-center gap-2 rounded-lg px-3 text-sm font-medium transition-colors focus-visible:-outline-offset-2 pointer-coarse:h-11 max-sm:px-2.5',
                name === place ? 'bg-card text-ink shadow-rest' : 'text-soft hover:text-ink',
              )}
            >
              <Icon aria-hidden className="size-4 max-sm:hidden" />
              {places[name as SectionName].title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
