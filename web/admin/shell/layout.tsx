import { PanelLeft, Search } from 'lucide-react'
import { type ComponentType, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'

import type { AdminUser, Notice } from '#contract/admin.ts'
import { useNews } from '#web/admin/news/news.ts'
import { hasUnsavedChanges } from '#web/admin/session/unsaved-changes.ts'
import { Button } from '#web/ui/button.tsx'
import { Key } from '#web/ui/key.tsx'
import { Logo } from '#web/ui/logo.tsx'
import { Sheet } from '#web/ui/dialog.tsx'
import { countOpenLayers } from '#web/ui/open-layers.ts'
import { Tooltip } from '#web/ui/tooltip.tsx'
import { toast } from '#web/ui/use-toast.ts'

import { readListPosition } from './list-position.ts'
import { Notices } from './notices.tsx'
import { mainId } from './page-head.tsx'
import { isAccountPlace } from './places.ts'
import { type LoadOverlay, type OverlayProps, useScreens } from './screen-loading.ts'
import { useSettingsPlace } from './settings-place.ts'
import { commandKey, useShortcuts } from './shortcuts.ts'
import { Sidebar, SidebarContent, sidebarId, useSidebar } from './sidebar.tsx'

type AdminLayoutProps = {
  /** Undefined while the session is loading. */
  admin: AdminUser | undefined
  notices: Notice[]
  children: ReactNode
}

export function AdminLayout({ admin, notices, children }: AdminLayoutProps) {
  const { isMobile, isOpen, toggle, close } = useSidebar()
  const main = useFocusOnNewPage()
  useNews(admin?.id)
  const { place } = useSettingsPlace()
  const { dialogs, overlays } = useScreens()
  const { Overlay, open, close: closeOverlay } = useOverlay()
  const openPalette = () => {
    if (canOpenPalette()) open(overlays.palette)
  }
  const preparePalette = () => void overlays.palette().catch(() => undefined)
  const showShortcuts = () => open(overlays.shortcuts)
  useShortcuts({
    toggleSidebar: toggle,
    togglePalette: Overlay ? closeOverlay : openPalette,
    preparePalette,
    showShortcuts,
  })

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
        <Header
          isMobile={isMobile}
          isSidebarOpen={isOpen}
          onToggleSidebar={toggle}
          onPrepareSearch={preparePalette}
          onSearch={openPalette}
        />
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
        <Suspense>
          {admin && place && (isAccountPlace(place) ? <dialogs.Account /> : <dialogs.Settings />)}
        </Suspense>
        {admin && Overlay && (
          <Overlay
            onClose={closeOverlay}
            onShowShortcuts={showShortcuts}
            onToggleSidebar={toggle}
          />
        )}
      </div>
    </div>
  )
}

/** The palette or the list of shortcuts, whose code loads when it is first wanted. */
function useOverlay() {
  const [Overlay, setOverlay] = useState<ComponentType<OverlayProps>>()
  return {
    Overlay,
    open: (load: LoadOverlay) => {
      load().then(
        (loaded) => setOverlay(() => loaded),
        () => toast({ title: 'Unable to connect to server', variant: 'destructive' }),
      )
    },
    close: () => setOverlay(undefined),
  }
}

/**
 * A panel that is in the address closes when the palette leads elsewhere; any other dialog would stay over the new page
 * or lose what was typed.
 */
function canOpenPalette(): boolean {
  const count = countOpenLayers()
  const params = new URLSearchParams(location.search)
  const isInAddress = ['settings', 'order', 'review'].some((name) => params.has(name))
  return count === 0 || (count === 1 && isInAddress && !hasUnsavedChanges())
}

type HeaderProps = {
  isMobile: boolean
  isSidebarOpen: boolean
  onToggleSidebar: () => void
  /** Somebody may be about to search. */
  onPrepareSearch: () => void
  onSearch: () => void
}

function Header(props: HeaderProps) {
  const { isMobile, isSidebarOpen, onToggleSidebar, onPrepareSearch, onSearch } = props

  return (
    <header className="sticky top-0 z-20 flex h-14 items-center gap-3 border-b border-line bg-paper/90 px-2 backdrop-blur-sm sm:px-4">
      <Tooltip
        side="bottom"
        content={
          <>
            Toggle sidebar <kbd className="ms-1.5 font-mono opacity-70">{commandKey('B')}</kbd>
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
      <button
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onPointerEnter={onPrepareSearch}
        onFocus={onPrepareSearch}
        onClick={onSearch}
        className="ms-auto flex h-9 items-center gap-2 rounded-lg border border-line-strong/60 bg-card px-3 text-sm text-soft shadow-rest transition-colors hover:border-line-strong hover:text-ink max-sm:w-9 max-sm:justify-center max-sm:border-transparent max-sm:bg-transparent max-sm:px-0 max-sm:shadow-none pointer-coarse:h-11 max-sm:pointer-coarse:w-11"
      >
        <Search aria-hidden className="size-4 max-sm:size-4.5" />
        <span className="max-sm:sr-only">Search</span>
        <span aria-hidden className="ms-4 max-sm:hidden pointer-coarse:hidden">
          <Key>{commandKey('K')}</Key>
        </span>
      </button>
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
    const { top, row } = readListPosition()
    // A list goes back to its row itself.
    if (!row) window.scrollTo(0, top)
    main.current?.focus({ preventScroll: true })
  }, [path])
  return main
}
