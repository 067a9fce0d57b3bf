import { PanelLeft } from 'lucide-react'

import { Button } from '#web/ui/button.tsx'
import { Logo } from '#web/ui/logo.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'

import { sidebarId } from './sidebar.tsx'

const shortcut = navigator.userAgent.includes('Mac') ? '⌘B' : 'Ctrl+B'

type LayoutHeaderProps = {
  isMobile: boolean
  isSidebarOpen: boolean
  onToggleSidebar: () => void
}

export function LayoutHeader({ isMobile, isSidebarOpen, onToggleSidebar }: LayoutHeaderProps) {
  return (
    <header className="sticky top-0 z-20 flex h-14 items-center gap-3 border-b border-line bg-paper/90 px-2 backdrop-blur-sm sm:px-4">
      <Tooltip
        side="bottom"
        content={
          <>
            Toggle sidebar <kbd className="ms-1.5 font-mono opacity-70">{shortcut}</kbd>
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
