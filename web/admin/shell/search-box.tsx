import { Search, X } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'

import { maxSearchLength } from '#contract/orders.ts'
import { classNames } from '#web/ui/class-names.ts'
import { inputClass } from '#web/ui/fields.tsx'

import { pageSearch, useSingleKeys } from './shortcuts.ts'

const debounceMs = 200

type SearchBoxProps = {
  /** For screen readers. */
  label: string
  placeholder: string
  q: string
  onSearch: (q: string) => void
  /** After the search of what was typed. The text is selected, so that the next scan replaces it. */
  onEnter?: (q: string) => void
  /** The text is no longer the one that was entered. */
  onEdit?: () => void
}

export function SearchBox({ label, placeholder, q, onSearch, onEnter, onEdit }: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null)
  const { typed, setTyped, searchNow } = useDebouncedSearch(q, onSearch)
  const hasSlashKey = useSingleKeys()

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
        aria-label={label}
        aria-keyshortcuts={hasSlashKey ? '/' : undefined}
        {...pageSearch}
        placeholder={placeholder}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          onEdit?.()
        }}
        onKeyDown={({ key }) => {
          if (key === 'Enter') {
            searchNow(typed)
            input.current?.select()
            onEnter?.(typed)
          }
          if (key === 'Escape') searchNow('')
        }}
        className={classNames(inputClass(undefined), 'h-11 ps-10 pe-11 text-ellipsis')}
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

/** Searches when typing pauses. A search from elsewhere, such as Back or a link, replaces the text. */
function useDebouncedSearch(q: string, onSearch: (q: string) => void) {
  const [typed, setTyped] = useState(q)
  const [lastQ, setLastQ] = useState(q)
  if (lastQ !== q) {
    setLastQ(q)
    if (typed.trim() !== q) setTyped(q)
  }

  function searchIfChanged(text: string): void {
    if (text.trim() !== q) onSearch(text)
  }
  const onPause = useEffectEvent(searchIfChanged)
  useEffect(() => {
    const timer = setTimeout(() => onPause(typed), debounceMs)
    return () => clearTimeout(timer)
  }, [typed])

  return {
    typed,
    setTyped,
    searchNow: (text: string) => {
      setTyped(text)
      searchIfChanged(text)
    },
  }
}
