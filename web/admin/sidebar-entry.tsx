import type { LucideIcon } from 'lucide-react'
import { Link, useLocation } from 'wouter'

import { classNames } from '#web/ui/class-names.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'

import { prepareScreen, type ScreenPath } from './screens.ts'

type SidebarEntryProps = {
  title: string
  path: ScreenPath
  /** A second address of the same page. */
  alias?: string
  icon: LucideIcon
  isCollapsed: boolean
  onNavigate: (() => void) | undefined
}

export function SidebarEntry(props: SidebarEntryProps) {
  const { title, path, alias, icon: Icon, isCollapsed, onNavigate } = props
  const [location] = useLocation()
  const isCurrent = location === path || location === alias

  return (
    <Tooltip content={title} side="right" isOff={!isCollapsed}>
      <Link
        href={path}
        onClick={onNavigate}
        onPointerEnter={() => prepareScreen(path)}
        onFocus={() => prepareScreen(path)}
        aria-current={isCurrent ? 'page' : undefined}
        className={classNames(
          'relative flex h-10 items-center gap-3 rounded-lg text-sm transition-colors focus-visible:-outline-offset-2 pointer-coarse:h-11',
          isCollapsed ? 'justify-center' : 'px-3',
          isCurrent
            ? 'bg-card font-semibold text-ink shadow-rest before:absolute before:inset-y-2.5 before:start-0 before:w-0.75 before:rounded-full before:bg-accent'
            : 'font-medium text-soft hover:bg-ink/5 hover:text-ink',
        )}
      >
        <Icon
          aria-hidden
          className={classNames('size-4.5 shrink-0', isCurrent ? 'text-accent' : 'text-muted')}
        />
        <span className={isCollapsed ? 'sr-only' : 'truncate'}>{title}</span>
      </Link>
    </Tooltip>
  )
}

export function EntrySkeleton({ isCollapsed }: { isCollapsed: boolean }) {
  return (
    <div
      className={classNames(
        'flex h-10 items-center gap-3 pointer-coarse:h-11',
        isCollapsed ? 'justify-center' : 'px-3',
      )}
    >
      <Skeleton className="size-4.5" />
      {!isCollapsed && <Skeleton className="h-3 w-24" />}
    </div>
  )
}
