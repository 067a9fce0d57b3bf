import { KeyRound, type LucideIcon, ScrollText, ShieldCheck, Users } from 'lucide-react'
import { type ComponentType, useState } from 'react'
import { Link } from 'wouter'

import { useSettingsPlace } from '#web/admin/shell/settings-place.ts'
import { useUnsavedChanges } from '#web/admin/shell/unsaved-changes.ts'
import { classNames } from '#web/ui/class-names.ts'
import { ConfirmDialog, Dialog } from '#web/ui/dialog.tsx'

import type { SectionProps } from './account-form.tsx'
import { LogSection } from './log-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { PeopleSection } from './people-section.tsx'
import { SecuritySection } from './security-section.tsx'

type Section = { title: string; icon: LucideIcon; content: ComponentType<SectionProps> }

const sections: Record<string, Section> = {
  account: { title: 'Password', icon: KeyRound, content: PasswordSection },
  security: { title: 'Sign-in', icon: ShieldCheck, content: SecuritySection },
  people: { title: 'People', icon: Users, content: PeopleSection },
  log: { title: 'Log', icon: ScrollText, content: LogSection },
}

/** Open while `?settings=` names one of its sections. */
export function AccountDialog() {
  const { place, close } = useSettingsPlace()
  const section = place && Object.hasOwn(sections, place) ? sections[place] : undefined
  if (!place || !section) return null
  return <OpenDialog place={place} section={section} onClose={close} />
}

type OpenDialogProps = { place: string; section: Section; onClose: () => void }

function OpenDialog({ place, section, onClose }: OpenDialogProps) {
  const [isHeld, setIsHeld] = useState(false)
  const unsaved = useUnsavedChanges(isHeld, onClose)
  const Content = section.content

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

function SectionMenu({ place }: { place: string }) {
  const { hrefOf } = useSettingsPlace()

  return (
    <nav aria-label="Account" className="mb-6 overflow-x-auto">
      <ul className="flex w-fit gap-1 rounded-xl bg-well p-1">
        {Object.entries(sections).map(([name, { title, icon: Icon }]) => (
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
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
