import type { AdminUser } from '#contract/admin.ts'
import { Sheet } from '#web/ui/dialog.tsx'

import { SidebarContent } from './sidebar-content.tsx'

type MobileSidebarProps = {
  admin: AdminUser | undefined
  isOpen: boolean
  onClose: () => void
}

/** The same sidebar as an 18rem panel over the page. Choosing an entry closes it. */
export function MobileSidebar({ admin, isOpen, onClose }: MobileSidebarProps) {
  return (
    <Sheet title="Menu" isOpen={isOpen} onOpenChange={onClose} className="w-72">
      <SidebarContent admin={admin} isCollapsed={false} onNavigate={onClose} />
    </Sheet>
  )
}
