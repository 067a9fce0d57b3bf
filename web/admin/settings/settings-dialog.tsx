import '#web/admin/zod-config.ts'

import {
  Bell,
  CreditCard,
  Eraser,
  Globe,
  Languages,
  Link,
  type LucideIcon,
  Mail,
  PenLine,
  Percent,
  Scale,
  Store,
  Truck,
  WalletCards,
} from 'lucide-react'
import { type ReactNode, useId, useRef } from 'react'

import type { SettingsPlace } from '#contract/admin.ts'
import {
  type SettingsSection,
  settingsSections,
  type ShopSettings,
} from '#contract/shop-settings.ts'
import { LoadError } from '#web/admin/shell/page-states.tsx'
import { SettingsMenu } from '#web/admin/shell/settings-menu.tsx'
import { useSettingsPlace } from '#web/admin/shell/settings-place.ts'
import { useUnsavedChanges } from '#web/admin/session/unsaved-changes.ts'
import { isUnauthorized, refusalCode, refusalText } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog, Dialog } from '#web/ui/dialog.tsx'
import { PasswordField } from '#web/ui/fields.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

import { SectionFields } from './section-fields.tsx'
import { useShopSettings } from './settings-query.ts'
import { isDisconnecting } from './sumup-fields.tsx'
import { type SectionForm, useSectionForm } from './use-settings.ts'

const sections: Record<SettingsSection, { icon: LucideIcon }> = {
  shop: { icon: Store },
  sumup: { icon: CreditCard },
  methods: { icon: WalletCards },
  tax: { icon: Percent },
  policies: { icon: Scale },
  delivery: { icon: Truck },
  mail: { icon: Mail },
  texts: { icon: PenLine },
  links: { icon: Link },
  language: { icon: Languages },
  address: { icon: Globe },
  retention: { icon: Eraser },
  alerts: { icon: Bell },
}

/** The dialog that the address asks for: ?settings=shop. */
export function SettingsDialog() {
  const { place, change, close } = useSettingsPlace()
  const section = settingsSections.find((one) => one === place)
  const { data, isError, isFetching, refetch } = useShopSettings({ isFresh: true })
  if (!section) return null
  if (data) return <OpenSection key={section} section={section} latest={data} />
  return (
    <Frame section={section} onClose={close} onChoose={change}>
      {isError ? (
        <LoadError what="settings" isRetrying={isFetching} onRetry={() => void refetch()} />
      ) : (
        <div aria-busy className="space-y-6">
          {[1, 2, 3].map((row) => (
            <Skeleton key={row} className="h-16 w-full" />
          ))}
        </div>
      )}
    </Frame>
  )
}

function OpenSection({ section, latest }: { section: SettingsSection; latest: ShopSettings }) {
  const formId = useId()
  const element = useRef<HTMLFormElement>(null)
  const form = useSectionForm(section, latest, element)
  const { change, close } = useSettingsPlace()
  /** Where to go once nothing can be lost. */
  const target = useRef<SettingsPlace>(undefined)
  const unsaved = useUnsavedChanges(form.isDirty, () => {
    if (target.current) change(target.current)
    else close()
  })

  function leaveFor(next: SettingsPlace | undefined) {
    target.current = next
    unsaved.requestClose()
  }

  return (
    <>
      <Frame
        section={section}
        onClose={() => leaveFor(undefined)}
        onChoose={leaveFor}
        footer={
          <>
            <Refused form={form} onOpenAccount={() => leaveFor('account')} />
            <div className="flex flex-wrap items-start justify-end gap-x-3 gap-y-4 max-sm:[&>button]:flex-1">
              {form.password !== undefined && (
                <PasswordField
                  form={formId}
                  name="password"
                  label="Your password"
                  autoComplete="current-password"
                  className="w-full sm:me-auto sm:w-80 sm:[&~button]:mt-7.5"
                  value={form.password}
                  error={form.errorOf('password')}
                  hint="The shop makes sure that it is you."
                  onChange={({ target }) => form.setPassword(target.value)}
                />
              )}
              <Button onClick={() => leaveFor(undefined)}>Close</Button>
              <Button
                type="submit"
                form={formId}
                look={isDisconnecting(form) ? 'danger' : 'primary'}
                isPending={form.isSaving}
              >
                {saveLabel(form)}
              </Button>
            </div>
          </>
        }
      >
        <form
          id={formId}
          ref={element}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            form.submit()
          }}
          className="space-y-5"
        >
          <SectionFields section={section} form={form} />
        </form>
      </Frame>
      {unsaved.isAsking && (
        <ConfirmDialog
          title="Discard your changes?"
          description="What you changed in these settings has not been saved."
          keepLabel="Keep editing"
          loseLabel="Discard changes"
          onKeep={unsaved.stay}
          onLose={unsaved.leave}
        />
      )}
    </>
  )
}

function saveLabel(form: SectionForm): string {
  if (form.isSaving) return 'Saving...'
  return isDisconnecting(form) ? 'Disconnect' : 'Save'
}

type FrameProps = {
  section: SettingsSection
  onClose: () => void
  onChoose: (section: SettingsSection) => void
  footer?: ReactNode
  children: ReactNode
}

/** As high whatever the section, so that nothing jumps between them. */
function Frame({ section, onClose, onChoose, footer, children }: FrameProps) {
  return (
    <Dialog
      title="Settings"
      description="Changes are in force at once, without a restart."
      onClose={onClose}
      className="h-[min(47rem,calc(100dvh-3rem))]! max-w-4xl max-sm:h-[calc(100dvh-1rem)]!"
      menu={
        <SettingsMenu label="Settings" sections={sections} place={section} onChoose={onChoose} />
      }
      footer={footer}
    >
      {children}
    </Dialog>
  )
}

type RefusedProps = { form: SectionForm; onOpenAccount: () => void }

/** In the footer, where it is seen however far the section is scrolled. */
function Refused({ form, onOpenAccount }: RefusedProps) {
  const text = form.error && !isUnauthorized(form.error) && refusalText(form.error)
  const code = refusalCode(form.error)
  // A wrong password is told at its field.
  if (!text || code === 'wrong-password') return null
  return (
    <Notice look="danger" role="alert" className="mb-4">
      <p>{text}</p>
      {code === 'settings-changed' && (
        <Button className="mt-3" onClick={() => void form.reload()}>
          Load them again
        </Button>
      )}
      {code === 'admin-password-weak' && (
        <Button className="mt-3" onClick={onOpenAccount}>
          Open Account
        </Button>
      )}
      {(code === 'address-unreachable' || code === 'sumup-away') && (
        <Button className="mt-3" isPending={form.isSaving} onClick={() => form.submit(true)}>
          Save anyway
        </Button>
      )}
    </Notice>
  )
}
