import { CircleUser, LogOut, type LucideIcon, Settings } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'

import type { AdminUser, SettingsPlace } from '#contract/admin.ts'
import { pages } from '#contract/paths.ts'
import { useNewsCount } from '#web/admin/news/news.ts'
import { useLogout } from '#web/admin/session/session.ts'
import { classNames } from '#web/ui/class-names.ts'
import { LogoMark } from '#web/ui/logo.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Tooltip, TooltipDelay } from '#web/ui/tooltip.tsx'
import { useMediaQuery } from '#web/ui/use-media-query.ts'

import { menu, type MenuEntry } from './menu.ts'
import { prefetchPage, useScreens } from './screen-loading.ts'
import { useSettingsPlace } from './settings-place.ts'

export const sidebarId = 'sidebar'

type SidebarProps = { admin: AdminUser | undefined; isExpanded: boolean }

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

type SidebarContentProps = {
  admin: AdminUser | undefined
  isCollapsed: boolean
  onNavigate?: () => void
}

export function SidebarContent({ admin, isCollapsed, onNavigate }: SidebarContentProps) {
  return (
    <TooltipDelay delayMs={0}>
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
          {menu.map((entry) => (
            <li key={entry.path}>
              {admin ? (
                <MenuLink entry={entry} isCollapsed={isCollapsed} onNavigate={onNavigate} />
              ) : (
                <EntrySkeleton isCollapsed={isCollapsed} />
              )}
            </li>
          ))}
        </ul>
      </nav>
      <div className={classNames('border-t border-line py-3', isCollapsed ? 'px-0.5' : 'px-2')}>
        {admin ? (
          <>
            <div className={isCollapsed ? 'sr-only' : 'px-3 pb-2 text-sm'}>
              <p className="text-xs text-muted">Logged in as</p>
              <p className="truncate font-medium" title={admin.email}>
                <bdi>{admin.email}</bdi>
              </p>
            </div>
            <FooterLink
              place="shop"
              icon={Settings}
              label="Settings"
              isCollapsed={isCollapsed}
              onNavigate={onNavigate}
            />
            <FooterLink
              place="account"
              icon={CircleUser}
              label="Account"
              isCollapsed={isCollapsed}
              onNavigate={onNavigate}
            />
            <LogoutButton isCollapsed={isCollapsed} />
          </>
        ) : (
          <>
            {!isCollapsed && (
              <div className="flex h-11 flex-col gap-2 px-3 pt-1">
                <Skeleton className="h-2.5 w-20" />
                <Skeleton className="h-3 w-36" />
              </div>
            )}
            {['Settings', 'Account', 'Log out'].map((entry) => (
              <EntrySkeleton key={entry} isCollapsed={isCollapsed} />
            ))}
          </>
        )}
      </div>
    </TooltipDelay>
  )
}

type MenuLinkProps = {
  entry: MenuEntry
  isCollapsed: boolean
  onNavigate: (() => void) | undefined
}

function MenuLink({ entry, isCollapsed, onNavigate }: MenuLinkProps) {
  const { title, path, alias, icon: Icon } = entry
  const [location] = useLocation()
  const screens = useScreens()
  const prefetch = () => prefetchPage(screens, path)
  const isCurrent = location === path || location === alias

  return (
    <Tooltip content={title} side="right" isOff={!isCollapsed}>
      <Link
        href={path}
        onClick={onNavigate}
        onPointerEnter={prefetch}
        onFocus={prefetch}
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
        {path === pages.orders && <NewOrderCount isCollapsed={isCollapsed} />}
      </Link>
    </Tooltip>
  )
}

function NewOrderCount({ isCollapsed }: { isCollapsed: boolean }) {
  const count = useNewsCount()
  if (count === 0) return null
  return (
    <span
      className={classNames(
        'rounded-full bg-accent text-center text-xs font-semibold text-on-accent tabular-nums',
        isCollapsed ? 'absolute end-0.5 top-0.5 min-w-4 px-1' : 'ms-auto min-w-5 px-1.5 py-px',
      )}
    >
      {count > 99 ? '99+' : count}
      <span className="sr-only"> new</span>
    </span>
  )
}

function EntrySkeleton({ isCollapsed }: { isCollapsed: boolean }) {
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

const footerEntry =
  'flex h-10 w-full items-center gap-3 rounded-lg text-sm font-medium text-soft transition-colors hover:bg-ink/5 hover:text-ink focus-visible:-outline-offset-2 aria-disabled:opacity-60 pointer-coarse:h-11'

type FooterLinkProps = Pick<MenuLinkProps, 'isCollapsed' | 'onNavigate'> & {
  place: SettingsPlace
  icon: LucideIcon
  label: string
}

/** Opens a dialog over the page that is shown. */
function FooterLink({ place, icon: Icon, label, isCollapsed, onNavigate }: FooterLinkProps) {
  const { hrefOf } = useSettingsPlace()

  return (
    <Tooltip content={label} side="right" isOff={!isCollapsed}>
      <Link
        href={hrefOf(place)}
        state={{ isOpenedHere: true }}
        onClick={onNavigate}
        className={classNames(footerEntry, isCollapsed ? 'justify-center' : 'px-3')}
      >
        <Icon aria-hidden className="size-4.5 shrink-0 text-muted" />
        <span className={isCollapsed ? 'sr-only' : undefined}>{label}</span>
      </Link>
    </Tooltip>
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
        className={classNames(footerEntry, isCollapsed ? 'justify-center' : 'px-3')}
      >
        <LogOut aria-hidden className="size-4.5 shrink-0 text-muted" />
        <span className={isCollapsed ? 'sr-only' : undefined}>Log out</span>
      </button>
    </Tooltip>
  )
}

const mobileQuery = '(width < 768px)'

/** Wide screens: a column, expanded or collapsed to icons, remembered in a cookie. Narrow screens: a sheet over the page. */
export function useSidebar() {
  const isMobile = useMediaQuery(mobileQuery)
  const [isExpanded, setIsExpanded] = useState(readIsExpanded)
  const [isSheetOpen, setIsSheetOpen] = useState(false)

  // A sheet left open must not reappear when the window grows and shrinks again.
  if (!isMobile && isSheetOpen) setIsSheetOpen(false)

  function toggle() {
    if (isMobile) return setIsSheetOpen(!isSheetOpen)
    setIsExpanded(!isExpanded)
    saveIsExpanded(!isExpanded)
  }

  return {
    isMobile,
    isOpen: isMobile ? isSheetOpen : isExpanded,
    toggle,
    close: () => setIsSheetOpen(false),
  }
}

const cookieName = 'sidebar_state'
const cookieMaxAgeSeconds = 604_800

function readIsExpanded(): boolean {
  return !document.cookie.split('; ').includes(`${cookieName}=false`)
}

function saveIsExpanded(isExpanded: boolean) {
  document.cookie = `${cookieName}=${isExpanded}; path=/; max-age=${cookieMaxAgeSeconds}; samesite=lax`
}
