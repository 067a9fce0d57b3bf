import { Search, X } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'

import { maxSearchLength } from '#contract/orders.ts'
import { classNames } from '#web/ui/class-names.ts'
import { boxLook } from '#web/ui/field-frame.tsx'

/** Long enough that a word in the making asks once, short enough not to be noticed. */
const debounceMs = 200

type SearchBoxProps = { q: string; onSearch: (q: string) => void }

export function SearchBox({ q, onSearch }: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null)
  const { typed, type, searchNow } = useTyping(q, onSearch)
  useSlash(() => input.current?.focus())

  return (
    <search className="relative block">
      <Search
        aria-hidden
        className="pointer-events-none absolute start-3.5 top-3.5 size-4 text-muted"
      />
      <input
        ref={input}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={maxSearchLength}
        aria-label="Search orders"
        aria-keyshortcuts="/"
        placeholder="Search by order ID, customer email, or product..."
        value={typed}
        onChange={({ target }) => type(target.value)}
        onKeyDown={({ key }) => {
          if (key === 'Enter') searchNow(typed)
          if (key === 'Escape') searchNow('')
        }}
        className={classNames(boxLook(undefined), 'h-11 ps-10 pe-11 text-ellipsis')}
      />
      {typed !== '' && (
        <button
          type="button"
          onClick={() => {
            searchNow('')
            input.current?.focus()
          }}
          className="absolute inset-y-0 end-0 grid w-11 place-items-center rounded-e-lg text-muted transition-colors hover:text-ink focus-visible:-outline-offset-2"
        >
          <X aria-hidden className="size-4" />
          <span className="sr-only">Clear search</span>
        </button>
      )}
    </search>
  )
}

/** What is being typed, told a little later; what Back or a link says takes its place. */
function useTyping(q: string, onSearch: (q: string) => void) {
  const [typed, setTyped] = useState(q)
  const [heard, setHeard] = useState(q)
  if (heard !== q) {
    setHeard(q)
    if (typed.trim() !== q) setTyped(q)
  }

  const tell = useEffectEvent((text: string) => {
    if (text.trim() !== q) onSearch(text)
  })
  useEffect(() => {
    const timer = setTimeout(() => tell(typed), debounceMs)
    return () => clearTimeout(timer)
  }, [typed])

  return {
    typed,
    type: setTyped,
    searchNow: (text: string) => {
      setTyped(text)
      if (text.trim() !== q) onSearch(text)
    },
  }
}

/** A slash goes to the search, except where a slash is typed or a dialog asks for attention. */
function useSlash(onPress: () => void) {
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
    if (event.key !== '/' || !isPlain || isBusyElsewhere(event.target)) return
    event.preventDefault()
    onPress()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => handleKey(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}

function isBusyElsewhere(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false
  const isTyping = target.matches('input, textarea, select, [contenteditable=true]')
  return isTyping || document.querySelector('[role=dialog]') !== null
}
