import '#web/admin/zod-config.ts'

import { BellRing, KeyRound, type LucideIcon, ScrollText, ShieldCheck, Users } from 'lucide-react'
import { type ComponentType, useState } from 'react'

import type { AccountPlace } from '#contract/admin.ts'
import { isAccountPlace } from '#web/admin/shell/places.ts'
import { SettingsMenu } from '#web/admin/shell/settings-menu.tsx'
import { useSettingsPlace } from '#web/admin/shell/settings-place.ts'
import { useUnsavedChanges } from '#web/admin/session/unsaved-changes.ts'
import { ConfirmDialog, Dialog } from '#web/ui/dialog.tsx'

import type { SectionProps } from './account-form.tsx'
import { NewsSection } from './news-section.tsx'
import { LogSection } from './log-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { PeopleSection } from './people-section.tsx'
import { SecuritySection } from './security-section.tsx'

type Section = { icon: LucideIcon; content: ComponentType<SectionProps> }

const sections: Record<AccountPlace, Section> = {
  account: { icon: KeyRound, content: PasswordSection },
  security: { icon: ShieldCheck, content: SecuritySection },
  people: { icon: Users, content: PeopleSection },
  news: { icon: BellRing, content: NewsSection },
  log: { icon: ScrollText, content: LogSection },
}

/** Open while `?settings=` names one of its sections. */
export function AccountDialog() {
  const { place, change, close } = useSettingsPlace()
  const [isHeld, setIsHeld] = useState(false)
  const unsaved = useUnsavedChanges(isHeld, close)
  if (!place || !isAccountPlace(place)) return null
  const Content = sections[place].content

  return (
    <Dialog
      title="Account"
      description="Your login, who else runs this shop, and who did what."
      onClose={unsaved.requestClose}
      className="max-w-3xl"
      menu={
        !isHeld && (
          <SettingsMenu label="Account" sections={sections} place={place} onChoose={change} />
        )
      }
    >
      {/* As tall as most sections, so that switching does not move the menu. */}
      <div className="min-h-112">
        <Content key={place} onHold={setIsHeld} />
      </div>
      {unsaved.isAsking && (
        <ConfirmDialog
          title="Have you kept your recovery codes?"
          description="They are shown this once. Without them and without your phone you cannot log in."
          keepLabel="Show them"
          loseLabel="I have them"
          onKeep={unsaved.stay}
          onLose={unsaved.leave}
        />
      )}
    </Dialog>
  )
}
