import { type QueryClient, useQuery } from '@tanstack/react-query'
import { type ComponentType, createContext, useContext } from 'react'

import type { adminPages } from '#contract/paths.ts'
import { prefetchSession } from '#web/admin/session/session.ts'

import type { DialogName } from './places.ts'
import { queryClient } from './query-client.ts'

/** What the shell shows, as web/admin/screens.ts lists it. */
export type Screens = {
  LoginPage: ComponentType
  pages: Record<ScreenPath, () => Promise<Screen>>
  /** Over any page, by their place in its address. */
  dialogs: Record<DialogName, ComponentType>
  /** Over any page, by a key or a button. */
  overlays: Record<'palette' | 'shortcuts', LoadOverlay>
}

export type ScreenPath = (typeof adminPages)[number]

type Screen = {
  Page: ComponentType
  /** Reads what it shows first. */
  prefetch?: (queryClient: QueryClient) => Promise<unknown>
}

export type OverlayProps = {
  onClose: () => void
  onShowShortcuts: () => void
  onToggleSidebar: () => void
}

export type LoadOverlay = () => Promise<ComponentType<OverlayProps>>

export const ScreensContext = createContext<Screens | undefined>(undefined)

export function useScreens(): Screens {
  const screens = useContext(ScreensContext)
  if (!screens) throw new Error('The shell is rendered without ScreensContext')
  return screens
}

export function isScreenPath({ pages }: Screens, path: string): path is ScreenPath {
  return Object.hasOwn(pages, path)
}

/**
 * The page component of a path, once its code has loaded. React's lazy() would start loading only when the page
 * renders, after the session is known, and would then hold the result back for 300 ms to avoid flicker.
 */
export function usePage(path: ScreenPath): ComponentType | undefined {
  return useQuery(pageQuery(useScreens(), path)).data?.Page
}

/** How long a page waits for what the server has sent along. After that it shows placeholders. */
const maxWaitMs = 200

/**
 * Resolves when the first page can be rendered at once; with its `prefetch`, in its final shape. Where there is a session,
 * the server names in the head what a page reads first: it is there in a moment, and placeholders before it would only delay it.
 */
export async function prepareFirstPage(screens: Screens, path: string): Promise<void> {
  const hasSession = document.querySelector('link[rel=preload][as=fetch]') !== null
  if (!hasSession || !isScreenPath(screens, path)) return
  const page = queryClient.fetchQuery(pageQuery(screens, path))
  const ready = Promise.all([
    prefetchSession(queryClient),
    page.then(({ prefetch }) => prefetch?.(queryClient)),
  ])
  await Promise.race([
    ready.catch(() => {}),
    new Promise((resolve) => setTimeout(resolve, maxWaitMs)),
  ])
}

/** Starts loading a page on hover or focus of its link. A failed load is forgotten, so a click tries again. */
export function prefetchPage(screens: Screens, path: ScreenPath): void {
  const query = pageQuery(screens, path)
  queryClient.fetchQuery(query).catch(() => queryClient.removeQueries(query))
}

function pageQuery({ pages }: Screens, path: ScreenPath) {
  return { queryKey: ['screen', path], queryFn: pages[path], throwOnError: true }
}
