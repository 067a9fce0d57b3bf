import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react'
import { navigate } from 'wouter/use-browser-location'

import { pages } from '#contract/paths.ts'
import { hasUnsavedChanges } from '#web/admin/session/unsaved-changes.ts'
import { countOpenLayers } from '#web/ui/open-layers.ts'

/** The second key after `g`. */
const pageKeys = {
  o: pages.orders,
  p: pages.products,
  f: pages.fulfillment,
  a: pages.analytics,
} as const

/** The keys that lead to a page, one after the other. */
export function keysOf(page: string): string[] {
  const [letter] = Object.entries(pageKeys).find(([, path]) => path === page) ?? []
  return letter ? ['g', letter] : []
}

const sequenceMs = 1500

type ShortcutActions = {
  toggleSidebar: () => void
  togglePalette: () => void
  /** Somebody may be about to open the palette: its code can load. */
  preparePalette: () => void
  showShortcuts: () => void
}

/** The keys of every page. Single keys do nothing while somebody types or while anything is open over the page. */
export function useShortcuts(actions: ShortcutActions): void {
  const wentAt = useRef(-Infinity)

  function pressSingleKey(key: string, at: number): boolean {
    const letter = key.toLowerCase()
    const isSecond = at - wentAt.current < sequenceMs
    wentAt.current = letter === 'g' && !isSecond ? at : -Infinity
    if (isSecond && isPageKey(letter)) navigate(pageKeys[letter])
    else if (key === '?') actions.showShortcuts()
    else if (key === '/') return focusPageSearch()
    else return false
    return true
  }

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey, repeat } = event
    if (key === 'Control' || key === 'Meta') return actions.preparePalette()
    const isCommand = (ctrlKey || metaKey) && !shiftKey && !altKey
    const command = isCommand && commands[key.toLowerCase()]
    if (command) {
      event.preventDefault()
      if (!repeat) actions[command]()
      return
    }
    const isSingleKey = !ctrlKey && !metaKey && !altKey && !repeat && !event.isComposing
    if (!isSingleKey || event.defaultPrevented || !areSingleKeysOn()) return
    if (isTyping(event.target) || countOpenLayers() > 0 || hasUnsavedChanges()) return
    if (pressSingleKey(key, event.timeStamp)) event.preventDefault()
  })

  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
}

const commands: Record<string, 'toggleSidebar' | 'togglePalette'> = {
  b: 'toggleSidebar',
  k: 'togglePalette',
}

function isPageKey(letter: string): letter is keyof typeof pageKeys {
  return Object.hasOwn(pageKeys, letter)
}

function isTyping(target: EventTarget | null): boolean {
  const fields =
    'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable=true]'
  return target instanceof Element && target.matches(fields)
}

/** Marks the search of a page, which `/` focuses. */
export const pageSearch = { 'data-page-search': true } as const

function focusPageSearch(): boolean {
  const input = document.querySelector<HTMLInputElement>('[data-page-search]')
  input?.focus()
  return input !== null
}

/** A key with the one that commands are pressed with here: ⌘K or Ctrl+K. */
export function commandKey(key: string): string {
  return navigator.userAgent.includes('Mac') ? `⌘${key}` : `Ctrl+${key}`
}

/*
 * Single keys can be switched off (WCAG 2.1.4): who speaks to the computer would press them by accident. It is remembered
 * in the browser, since it is about how this computer is used.
 */
const storageKey = 'single-key shortcuts'
const listeners = new Set<() => void>()
let isOn: boolean | undefined

function areSingleKeysOn(): boolean {
  isOn ??= readIsOn()
  return isOn
}

function readIsOn(): boolean {
  try {
    return localStorage.getItem(storageKey) !== 'off'
  } catch {
    return true
  }
}

export function switchSingleKeys(turnOn: boolean): void {
  isOn = turnOn
  try {
    localStorage.setItem(storageKey, turnOn ? 'on' : 'off')
  } catch {
    // Storage may be full or blocked: it then holds until the page is left.
  }
  for (const listener of listeners) listener()
}

export function useSingleKeys(): boolean {
  return useSyncExternalStore(subscribe, areSingleKeysOn)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
