import type { LucideIcon } from 'lucide-react'
import { Link } from 'wouter'

import type { SettingsPlace } from '#contract/admin.ts'
import { classNames } from '#web/ui/class-names.ts'

import { places } from './places.ts'
import { useSettingsPlace } from './settings-place.ts'

type SettingsMenuProps<Place extends SettingsPlace> = {
  label: string
  sections: Record<Place, { icon: LucideIcon }>
  place: Place
  onChoose: (place: Place) => void
}

/** The sections of one of the two dialogs. */
export function SettingsMenu<Place extends SettingsPlace>({
  label,
  sections,
  place,
  onChoose,
}: SettingsMenuProps<Place>) {
  const { hrefOf } = useSettingsPlace()
  const names = Object.keys(sections) as Place[]

  return (
    <nav aria-label={label}>
      <ul className="flex w-fit flex-wrap gap-1 rounded-xl bg-well p-1 max-sm:grid max-sm:w-full max-sm:grid-cols-4">
        {names.map((name) => {
          const { icon: Icon } = sections[name]
          return (
            <li key={name}>
              <Link
                href={hrefOf(name)}
                aria-current={name === place ? 'page' : undefined}
                onClick={(event) => {
                  event.preventDefault()
                  if (name !== place) onChoose(name)
                }}
                className={classNames(
                  'flex h-9 items-center gap-2 rounded-lg px-3 text-sm font-medium transition-colors focus-visible:-outline-offset-2 pointer-coarse:h-11 max-sm:justify-center max-sm:px-0',
                  name === place ? 'bg-card text-ink shadow-rest' : 'text-soft hover:text-ink',
                )}
              >
                <Icon aria-hidden className="size-4 max-sm:hidden" />
                {places[name].title}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
