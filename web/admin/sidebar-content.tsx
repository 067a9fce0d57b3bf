import { ChartColumn, PackageCheck, ReceiptText, Tag } from 'lucide-react'

import type { AdminUser } from '#contract/admin.ts'
import { pages } from '#contract/paths.ts'
import { LogoMark } from '#web/ui/logo.tsx'
import { TooltipProvider } from '#web/ui/tooltip.tsx'

import { EntrySkeleton, SidebarEntry } from './sidebar-entry.tsx'
import { SidebarFooter } from './sidebar-footer.tsx'

const entries = [
  { title: 'Products', path: pages.products, alias: pages.home, icon: Tag },
  { title: 'Orders', path: pages.orders, icon: ReceiptText },
  { title: 'Fulfillment', path: pages.fulfillment, icon: PackageCheck },
  { title: 'Analytics', path: pages.analytics, icon: ChartColumn },
]

type SidebarContentProps = {
  admin: AdminUser | undefined
  isCollapsed: boolean
  onNavigate?: () => void
}

export function SidebarContent({ admin, isCollapsed, onNavigate }: SidebarContentProps) {
  return (
    <TooltipProvider delayMs={0}>
      <div className={isCollapsed ? 'px-3 pt-4' : 'px-5 pt-4'}>
        <div className="flex h-6 items-center gap-3">
          <LogoMark />
          <h2
            className={
              isCollapsed
                ? 'sr-only'
                : 'text-[0.9375rem] font-semibold tracking-tight whitespace-nowrap'
            }
          >
            Till <span className="font-normal text-muted">Admin panel</span>
          </h2>
        </div>
      </div>
      <nav aria-label="Admin" className={isCollapsed ? 'flex-1 px-0.5 pt-8' : 'flex-1 px-2 pt-8'}>
        <ul className="flex flex-col gap-1">
          {entries.map((entry) => (
            <li key={entry.path}>
              {admin ? (
                <SidebarEntry {...entry} isCollapsed={isCollapsed} onNavigate={onNavigate} />
              ) : (
                <EntrySkeleton isCollapsed={isCollapsed} />
              )}
            </li>
          ))}
        </ul>
      </nav>
      <SidebarFooter admin={admin} isCollapsed={isCollapsed} />
    </TooltipProvider>
  )
}
