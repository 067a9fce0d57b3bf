import { type ReactNode, useId, useRef } from 'react'
import { Link } from 'wouter'

import {
  type SettingsSection,
  settingsSections,
  type ShopSettings,
} from '#contract/shop-settings.ts'
import { LoadError } from '#web/admin/shell/page-states.tsx'
import { useUnsavedChanges } from '#web/admin/shell/unsaved-changes.ts'
import { refusalCode, refusalText } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ConfirmDialog, Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

import { SectionFields } from './section-fields.tsx'
import { openSettings, settingsHref, useSettingsPlace, useShopSettings } from './settings-place.ts'
import { type SectionForm, useSectionForm } from './use-settings.ts'

const sectionTitles: Record<SettingsSection, string> = {
  shop: 'Shop',
  tax: 'VAT',
  policies: 'Policies',
  mail: 'Mail',
  address: 'Address',
  retention: 'Data',
  alerts: 'Alerts',
}

/** The dialog that the address asks for: ?settings=shop. */
export function SettingsDialog() {
  const place = useSettingsPlace()
  const section = settingsSections.find((one) => one === place)
  const { data, isError, isFetching, refetch } = useShopSettings()
  if (!section) return null
  if (data) return <OpenSection section={section} latest={data} />
  return (
    <Frame section={section} onClose={() => openSettings(undefined)}>
      {isError ? (
        <LoadError what="settings" isRetrying={isFetching} onRetry={() => void refetch()} />
      ) : (
        <div aria-busy className="mt-6 space-y-6">
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
  const form = useSectionForm(section, latest)
  /** Where to go once nothing can be lost. */
  const target = useRef<SettingsSection>(undefined)
  const unsaved = useUnsavedChanges(form.isDirty, () =>
    openSettings(target.current, target.current !== undefined),
  )

  function leaveFor(next: SettingsSection | undefined) {
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
          <div className="flex items-center justify-end gap-3 max-sm:[&>button]:flex-1">
            <Button onClick={() => leaveFor(undefined)}>Close</Button>
            <Button type="submit" form={formId} look="primary" isPending={form.isSaving}>
              {form.isSaving ? 'Saving...' : 'Save'}
            </Button>
          </div>
        }
      >
        <form
          id={formId}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            form.submit()
          }}
          className="mt-6 space-y-5"
        >
          <SectionFields section={section} form={form} />
        </form>
        <Refused form={form} />
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

type FrameProps = {
  section: SettingsSection
  onClose: () => void
  onChoose?: (section: SettingsSection) => void
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
      className="h-[min(47rem,calc(100dvh-3rem))]! max-w-3xl max-sm:h-[calc(100dvh-1rem)]!"
      footer={footer}
    >
      <nav aria-label="Settings">
        <ul className="flex flex-wrap gap-1.5">
          {settingsSections.map((entry) => (
            <li key={entry}>
              <Link
                href={settingsHref(entry)}
                replace
                aria-current={entry === section ? 'page' : undefined}
                onClick={(event) => {
                  if (!onChoose) return
                  event.preventDefault()
                  if (entry !== section) onChoose(entry)
                }}
                className={classNames(
                  'inline-flex h-9 items-center rounded-lg px-3 text-sm font-medium transition-colors pointer-coarse:h-11',
                  entry === section
                    ? 'bg-accent-wash text-accent-strong'
                    : 'text-soft hover:bg-ink/5 hover:text-ink',
                )}
              >
                {sectionTitles[entry]}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {children}
    </Dialog>
  )
}

function Refused({ form }: { form: SectionForm }) {
  const text = form.error && refusalText(form.error)
  if (!text) return null
  const code = refusalCode(form.error)
  return (
    <Notice look="danger" role="alert" className="mt-6">
      <p>{text}</p>
      {code === 'settings-changed' && (
        <Button className="mt-3" onClick={() => void form.reload()}>
          Load them again
        </Button>
      )}
      {code === 'address-unreachable' && (
        <Button className="mt-3" isPending={form.isSaving} onClick={() => form.submit(true)}>
          Save anyway
        </Button>
      )}
    </Notice>
  )
}
