import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation } from 'wouter'

import type { AdminUser, Notice } from '#contract/admin.ts'

import { LayoutHeader } from './layout-header.tsx'
import { rememberedPlace } from './list-place.ts'
import { MobileSidebar } from './mobile-sidebar.tsx'
import { Notices } from './notices.tsx'
import { Sidebar } from './sidebar.tsx'
import { mainId, SkipLink } from './skip-link.tsx'
import { useSidebar } from './use-sidebar.ts'

type AdminLayoutProps = {
  /** Unknown while the server is being asked. */
  admin: AdminUser | undefined
  notices: Notice[]
  children: ReactNode
}

export function AdminLayout({ admin, notices, children }: AdminLayoutProps) {
  const { isMobile, isOpen, toggle, close } = useSidebar()
  const main = useFocusOnNewPage()

  return (
    <div className="flex min-h-dvh">
      <SkipLink />
      {isMobile ? (
        <MobileSidebar admin={admin} isOpen={isOpen} onClose={close} />
      ) : (
        <Sidebar admin={admin} isExpanded={isOpen} />
      )}
      <div className="flex min-w-0 flex-1 flex-col">
        <LayoutHeader isMobile={isMobile} isSidebarOpen={isOpen} onToggleSidebar={toggle} />
        {admin && <Notices notices={notices} />}
        <main
          // Notices and page replace the placeholder together: nothing that has been read moves down.
          key={admin ? 'page' : 'placeholder'}
          id={mainId}
          ref={main}
          tabIndex={-1}
          aria-busy={!admin}
          className="mx-auto w-full max-w-6xl flex-1 scroll-mt-14 px-4 pt-6 pb-16 outline-none sm:px-8 sm:pt-8"
        >
          {children}
        </main>
      </div>
    </div>
  )
}

/** After a change of page the keyboard and the screen reader go on in the new page, not in the menu. */
function useFocusOnNewPage() {
  const [path] = useLocation()
  const main = useRef<HTMLElement>(null)
  const focusedPath = useRef(path)
  useEffect(() => {
    if (focusedPath.current === path) return
    focusedPath.current = path
    window.scrollTo(0, rememberedPlace().top)
    main.current?.focus({ preventScroll: true })
  }, [path])
  return main
}
