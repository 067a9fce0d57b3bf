import { LogOut } from 'lucide-react'

import type { AdminUser } from '#contract/admin.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'

import { EntrySkeleton } from './sidebar-entry.tsx'
import { useLogout } from './use-logout.ts'

type SidebarFooterProps = {
  admin: AdminUser | undefined
  isCollapsed: boolean
}

export function SidebarFooter({ admin, isCollapsed }: SidebarFooterProps) {
  return (
    <div className={classNames('border-t border-line py-3', isCollapsed ? 'px-0.5' : 'px-2')}>
      {admin ? (
        <>
          <div className={isCollapsed ? 'sr-only' : 'px-3 pb-2 text-sm'}>
            <p className="text-xs text-muted">Logged in as</p>
            <p className="truncate font-medium" title={admin.email}>
              <bdi>{admin.email}</bdi>
            </p>
          </div>
          <LogoutButton isCollapsed={isCollapsed} />
        </>
      ) : (
        <FooterSkeleton isCollapsed={isCollapsed} />
      )}
    </div>
  )
}

function LogoutButton({ isCollapsed }: { isCollapsed: boolean }) {
  const logout = useLogout()

  return (
    <Tooltip content="Log out" side="right" isOff={!isCollapsed}>
      <button
        type="button"
        aria-disabled={logout.isPending}
        onClick={() => {
          if (!logout.isPending) logout.mutate()
        }}
        className={classNames(
          'flex h-10 w-full items-center gap-3 rounded-lg text-sm font-medium text-soft transition-colors hover:bg-ink/5 hover:text-ink focus-visible:-outline-offset-2 aria-disabled:opacity-60 pointer-coarse:h-11',
          isCollapsed ? 'justify-center' : 'px-3',
        )}
      >
        <LogOut aria-hidden className="size-4.5 shrink-0 text-muted" />
        <span className={isCollapsed ? 'sr-only' : undefined}>Log out</span>
      </button>
    </Tooltip>
  )
}

function FooterSkeleton({ isCollapsed }: { isCollapsed: boolean }) {
  return (
    <>
      {!isCollapsed && (
        <div className="flex h-11 flex-col gap-2 px-3 pt-1">
          <Skeleton className="h-2.5 w-20" />
          <Skeleton className="h-3 w-36" />
        </div>
      )}
      <EntrySkeleton isCollapsed={isCollapsed} />
    </>
  )
}
