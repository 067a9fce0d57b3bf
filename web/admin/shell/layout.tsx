import { PanelLeft } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react'
import { useLocation } from 'wouter'

import type { AdminUser, Notice } from '#contract/admin.ts'
import { Button } from '#web/ui/button.tsx'
import { Logo } from '#web/ui/logo.tsx'
import { Sheet } from '#web/ui/dialog.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'

import { readListPosition } from './list-position.ts'
import { Notices } from './notices.tsx'
import { mainId } from './page-head.tsx'
import { useSettingsPlace } from './settings-place.ts'
import { Sidebar, SidebarContent, sidebarId, useSidebar } from './sidebar.tsx'

const AccountDialog = lazy(async () => ({
  default: (await import('#web/admin/account/account-dialog.tsx')).AccountDialog,
}))

type AdminLayoutProps = {
  /** Undefined while the session is loading. */
  admin: AdminUser | undefined
  notices: Notice[]
  children: ReactNode
}

export function AdminLayout({ admin, notices, children }: AdminLayoutProps) {
  const { isMobile, isOpen, toggle, close } = useSidebar()
  const main = useFocusOnNewPage()
  const { place } = useSettingsPlace()

  return (
    <div className="flex min-h-dvh">
      <a
        href={`#${mainId}`}
        className="sr-only start-4 top-3 z-50 rounded-lg bg-accent text-sm font-medium text-on-accent shadow-lifted focus-visible:not-sr-only focus-visible:fixed focus-visible:px-4 focus-visible:py-2.5"
      >
        Skip to main content
      </a>
      {isMobile ? (
        <Sheet title="Menu" isOpen={isOpen} onOpenChange={close} className="w-72">
          <SidebarContent admin={admin} isCollapsed={false} onNavigate={close} />
        </Sheet>
      ) : (
        <Sidebar admin={admin} isExpanded={isOpen} />
      )}
      <div className="flex min-w-0 flex-1 flex-col">
        <Header isMobile={isMobile} isSidebarOpen={isOpen} onToggleSidebar={toggle} />
        {admin && <Notices notices={notices} />}
        <main
          // Notices and page replace the skeleton together, so nothing already visible moves down.
          key={admin ? 'page' : 'skeleton'}
          id={mainId}
          ref={main}
          tabIndex={-1}
          aria-busy={!admin}
          className="mx-auto w-full max-w-6xl flex-1 scroll-mt-14 px-4 pt-6 pb-16 outline-none sm:px-8 sm:pt-8"
        >
          {children}
        </main>
        <Suspense>{admin && place && <AccountDialog />}</Suspense>
      </div>
    </div>
  )
}

const sidebarShortcut = navigator.userAgent.includes('Mac') ? '⌘B' : 'Ctrl+B'

type HeaderProps = { isMobile: boolean; isSidebarOpen: boolean; onToggleSidebar: () => void }

function Header({ isMobile, isSidebarOpen, onToggleSidebar }: HeaderProps) {
  return (
    <header className="sticky top-0 z-20 flex h-14 items-center gap-3 border-b border-line bg-paper/90 px-2 backdrop-blur-sm sm:px-4">
      <Tooltip
        side="bottom"
        content={
          <>
            Toggle sidebar <kbd className="ms-1.5 font-mono opacity-70">{sidebarShortcut}</kbd>
          </>
        }
      >
        <Button
          look="bare"
          size="icon"
          aria-expanded={isSidebarOpen}
          aria-controls={isMobile ? undefined : sidebarId}
          onClick={onToggleSidebar}
        >
          <PanelLeft aria-hidden className="size-4.5" />
          <span className="sr-only">Toggle sidebar</span>
        </Button>
      </Tooltip>
      {isMobile && <Logo />}
    </header>
  )
}

/** After navigation, keyboard and screen reader users continue in the new page instead of the menu. */
function useFocusOnNewPage() {
  const [path] = useLocation()
  const main = useRef<HTMLElement>(null)
  const focusedPath = useRef(path)
  useEffect(() => {
    if (focusedPath.current === path) return
    focusedPath.current = path
    window.scrollTo(0, readListPosition().top)
    main.current?.focus({ preventScroll: true })
  }, [path])
  return main
}
