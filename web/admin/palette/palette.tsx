import { useQuery } from '@tanstack/react-query'
import { Search, SearchX, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { navigate } from 'wouter/use-browser-location'

import { maxSearchLength } from '#contract/orders.ts'
import { apiRoutes, pages } from '#contract/paths.ts'
import { parseOrders } from '#web/admin/answers.ts'
import { exportOrders } from '#web/admin/orders/export-orders.ts'
import { formatOrderUrl, openIdOf, parseOrderUrl } from '#web/admin/orders/order-url.ts'
import {
  useCheckoutSettings,
  usePauseProduct,
  useProducts,
} from '#web/admin/products/use-products.ts'
import { useLogout } from '#web/admin/session/session.ts'
import type { OverlayProps } from '#web/admin/shell/screen-loading.ts'
import { useSettingsPlace } from '#web/admin/shell/settings-place.ts'
import { callServer, formatQuery } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { SearchDialog } from '#web/ui/dialog.tsx'
import { Key } from '#web/ui/key.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { copyText } from '#web/ui/use-copy.ts'

import {
  type Action,
  allOrdersEntry,
  type Entry,
  findGroups,
  type Group,
  maxOrders,
  orderEntry,
  orderSearchOf,
  stillMatching,
} from './palette-entries.ts'
import { Listbox, optionId } from './palette-list.tsx'

/** Everything of the back-office by its name: a text field with a list below it, for the keyboard first. */
export function CommandPalette(props: OverlayProps) {
  const [text, setText] = useState('')
  const { groups, isLoading } = useGroups(text)
  const entries = groups.flatMap((group) => group.entries)
  const { active, setActive, move } = useActiveEntry(entries, text)
  const run = useRun(props)
  const listId = useId()

  function onKeyDown(event: KeyboardEvent) {
    const { key, nativeEvent } = event
    if (nativeEvent.isComposing) return
    if (key === 'ArrowDown') move(1)
    else if (key === 'ArrowUp') move(-1)
    else if (key === 'Enter' && active) run(active.action)
    else return
    event.preventDefault()
  }

  return (
    <SearchDialog title="Search and commands" onClose={props.onClose}>
      <div className="relative flex items-center border-b border-line">
        <Search aria-hidden className="pointer-events-none absolute start-5 size-4.5 text-muted" />
        <input
          type="text"
          inputMode="search"
          enterKeyHint="go"
          autoComplete="off"
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          maxLength={maxSearchLength}
          role="combobox"
          aria-label="Search pages, products, orders and actions"
          aria-autocomplete="list"
          aria-expanded={entries.length > 0}
          aria-controls={entries.length > 0 ? listId : undefined}
          aria-activedescendant={active && optionId(listId, active)}
          placeholder="Search or type a command..."
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={onKeyDown}
          className="h-14 w-full bg-transparent ps-13 pe-24 text-base outline-none placeholder:text-muted"
        />
        <div className="absolute end-2 flex items-center gap-1">
          {isLoading && (
            <span className="animate-appear-late text-muted">
              <Spinner />
            </span>
          )}
          <Button look="bare" size="icon" onClick={props.onClose}>
            <X aria-hidden className="size-4.5" />
            <span className="sr-only">Close</span>
          </Button>
        </div>
      </div>
      {/* Its height does not follow its content, so that nothing moves while somebody types. */}
      <div className="flex h-[min(25rem,calc(76dvh-7rem))] flex-col max-sm:h-[min(25rem,calc(100dvh-9rem))]">
        {entries.length > 0 ? (
          <Listbox id={listId} groups={groups} active={active} onPoint={setActive} onRun={run} />
        ) : (
          !isLoading && <NothingFound text={text} />
        )}
      </div>
      <Result count={entries.length} text={text} isLoading={isLoading} />
      <footer
        aria-hidden
        className="flex gap-5 border-t border-line bg-well px-5 py-2.5 text-xs text-muted pointer-coarse:hidden"
      >
        <span>
          <Key>↑</Key> <Key>↓</Key> to move
        </span>
        <span>
          <Key>Enter</Key> to choose
        </span>
        <span>
          <Key>Esc</Key> to close
        </span>
      </footer>
    </SearchDialog>
  )
}

/** Orders are asked from the server when typing pauses, and come last: what is above them stays where it is. */
function useGroups(text: string): { groups: Group[]; isLoading: boolean } {
  const products = useProducts()
  const checkout = useCheckoutSettings()
  const orders = useOrderSearch(orderSearchOf(text))
  const groups = findGroups(text, products.data ?? [], checkout.linkOf)
  const isLoading = orders.isLoading || (text.trim() !== '' && products.isLoading)
  if (orders.entries.length > 0) groups.push({ title: 'Orders', entries: orders.entries })
  return { groups, isLoading }
}

const debounceMs = 200
/** An order that was just paid is found at the next search. */
const staleMs = 10_000

/**
 * Each text has an answer of its own, so a late one never replaces a newer one. Until it is there, the orders of the
 * text before stay if they match the new one too.
 */
function useOrderSearch(q: string | undefined): { entries: Entry[]; isLoading: boolean } {
  const [asked, setAsked] = useState(q)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(q), debounceMs)
    return () => clearTimeout(timer)
  }, [q])
  const answer = useQuery({
    queryKey: [apiRoutes.orders, 'palette', asked],
    queryFn: async ({ signal }) => {
      const query = formatQuery({ q: asked, limit: String(maxOrders) })
      const response = await callServer('GET', `${apiRoutes.orders}${query}`, undefined, signal)
      return parseOrders(await response.json())
    },
    enabled: asked !== undefined,
    staleTime: staleMs,
    placeholderData: (previous) => previous,
  })
  if (q === undefined) return { entries: [], isLoading: false }
  const isAnswered = q === asked && !answer.isPlaceholderData && !answer.isPending
  const found = answer.data ?? []
  const orders = isAnswered ? found : stillMatching(found, q)
  const entries = orders.map(orderEntry)
  const isMore = isAnswered && found.length === maxOrders
  return { entries: isMore ? [...entries, allOrdersEntry(q)] : entries, isLoading: !isAnswered }
}

/** Known by its id: what arrives later does not move the choice to another entry. A new text begins at the first. */
function useActiveEntry(entries: Entry[], text: string) {
  const [chosen, setChosen] = useState<{ id: string; text: string }>()
  const isOfThisText = chosen?.text === text
  const active = (isOfThisText && entries.find(({ id }) => id === chosen.id)) || entries[0]
  const setActive = ({ id }: Entry) => setChosen({ id, text })

  return {
    active,
    setActive,
    move: (step: 1 | -1) => {
      if (!active) return
      const next = entries.at((entries.indexOf(active) + step) % entries.length)
      if (next) setActive(next)
    },
  }
}

function useRun({ onClose, onShowShortcuts, onToggleSidebar }: OverlayProps) {
  const { hrefOf } = useSettingsPlace()
  const pause = usePauseProduct()
  const logout = useLogout()

  function act(action: Action): void {
    switch (action.kind) {
      case 'go':
        return navigate(action.href)
      case 'place':
        return navigate(hrefOf(action.place), { state: { isOpenedHere: true } })
      case 'order':
        return openOrder(action.id)
      case 'copy':
        return void copyText(action.text)
      case 'open-tab':
        return void window.open(action.href, '_blank', 'noopener')
      case 'pause':
        return pause(action.product)
      case 'export':
        return void exportOrders()
      case 'shortcuts':
        return onShowShortcuts()
      case 'sidebar':
        return onToggleSidebar()
      case 'log-out':
        return logout.mutate()
    }
  }

  return (action: Action) => {
    onClose()
    act(action)
  }
}

/** Over the list that is shown, if it is one of orders: closing the order leads back to it. */
function openOrder(id: string): void {
  const panel = { kind: 'order', id } as const
  if (location.pathname !== pages.orders)
    return navigate(`${pages.orders}${formatOrderUrl({ panel })}`)
  const url = parseOrderUrl(location.search)
  const href = `${pages.orders}${formatOrderUrl({ ...url, panel })}`
  if (openIdOf(url, 'order')) navigate(href, { replace: true, state: history.state as unknown })
  else navigate(href, { state: { ...history.state, isOpenedHere: true } })
}

function NothingFound({ text }: { text: string }) {
  return (
    <div className="grid flex-1 place-content-center justify-items-center px-6 text-center text-sm">
      <SearchX aria-hidden className="size-6 text-muted" />
      <p className="mt-3 font-medium wrap-anywhere">Nothing found for “{text.trim()}”</p>
      <p className="mt-1 text-soft">Try a page, a product’s name, an order number or an email.</p>
    </div>
  )
}

/** For screen readers. */
function Result({ count, text, isLoading }: { count: number; text: string; isLoading: boolean }) {
  return (
    <output className="sr-only">
      {text.trim() !== '' && !isLoading && (count === 1 ? '1 result' : `${count} results`)}
    </output>
  )
}
