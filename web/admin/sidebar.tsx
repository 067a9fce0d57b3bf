import type { AdminUser } from '#contract/admin.ts'
import { classNames } from '#web/ui/class-names.ts'

import { SidebarContent } from './sidebar-content.tsx'

export const sidebarId = 'sidebar'

type SidebarProps = {
  admin: AdminUser | undefined
  isExpanded: boolean
}

/** 16rem wide, or 3rem when only its icons show. */
export function Sidebar({ admin, isExpanded }: SidebarProps) {
  return (
    <aside
      id={sidebarId}
      aria-label="Admin panel"
      className={classNames(
        'sticky top-0 flex h-dvh shrink-0 flex-col overflow-hidden bg-well shadow-[inset_-1px_0_0_var(--color-line)] motion-safe:transition-[width] motion-safe:duration-200',
        isExpanded ? 'w-64' : 'w-12',
      )}
    >
      <SidebarContent admin={admin} isCollapsed={!isExpanded} />
    </aside>
  )
}
