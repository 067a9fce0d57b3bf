import { Check, type LucideIcon, X } from 'lucide-react'
import {
  AlertDialog,
  Dialog as RadixDialog,
  DropdownMenu,
  Popover as RadixPopover,
  Tooltip as RadixTooltip,
} from 'radix-ui'
import { type ReactNode, type Ref, type RefObject, useImperativeHandle, useRef } from 'react'

import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { returnFocus, useOpenLayer } from './open-layers.ts'

/*
 * All that opens over the page. It is a sixth of what the browser would have to load before it shows anything, so it comes
 * later: load-layers.tsx. The buttons that open it are in files of their own, which need nothing of this.
 */

type DialogProps = {
  title: string
  description: string
  /** Called by Esc, a click outside and the close button; the caller stops rendering the dialog. */
  onClose: () => void
  /** Above and below the content; they do not scroll with it. */
  menu?: ReactNode
  footer?: ReactNode
  children: ReactNode
  className?: string
}

/** Open for as long as it is rendered; on a phone at the bottom of the screen. */
export function Dialog(props: DialogProps) {
  const { title, description, onClose, menu, footer, children, className } = props
  const focus = useFocusReturn()
  useOpenLayer(true, onClose)

  return (
    <RadixDialog.Root open onOpenChange={onClose}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-40 animate-appear bg-veil" />
        <RadixDialog.Content
          onOpenAutoFocus={focus.remember}
          onCloseAutoFocus={focus.restore}
          className={classNames(
            'fixed inset-x-0 top-14 bottom-4 z-40 m-auto flex h-fit max-h-[calc(100dvh-4.5rem)] w-[calc(100%-3rem)] animate-rise flex-col overflow-hidden rounded-2xl bg-paper shadow-lifted outline-none',
            'max-sm:top-auto max-sm:bottom-0 max-sm:mb-0 max-sm:max-h-[calc(100dvh-3.5rem)] max-sm:w-full max-sm:max-w-none max-sm:rounded-b-none',
            className,
          )}
        >
          <header className="border-b border-line py-4 ps-6 pe-16 max-sm:ps-4">
            <RadixDialog.Title className="text-lg font-semibold tracking-tight wrap-anywhere">
              {title}
            </RadixDialog.Title>
            <RadixDialog.Description className="mt-0.5 text-sm text-soft">
              {description}
            </RadixDialog.Description>
          </header>
          {menu && <div className="border-b border-line px-6 py-2.5 max-sm:px-4">{menu}</div>}
          {/* The padding leaves room for the label and the error of a field that takes the focus, and for a toast. */}
          <div className="min-h-0 flex-1 scroll-pt-12 scroll-pb-28 overflow-y-auto overscroll-contain px-6 py-6 max-sm:px-4">
            {children}
          </div>
          {footer && (
            <footer className="border-t border-line bg-well px-6 py-4 max-sm:px-4">{footer}</footer>
          )}
          <CloseButton className="end-4 top-4 max-sm:end-2" />
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  )
}

type ConfirmDialogProps = {
  title: string
  description: string
  keepLabel: string
  loseLabel: string
  onKeep: () => void
  onLose: () => void
  /** Of the button that goes on. */
  look?: 'danger' | 'primary'
  /** The dialog stays open until the action has ended. */
  isPending?: boolean
  children?: ReactNode
}

/** Asks before something is lost; open for as long as it is rendered. Esc keeps it. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, description, keepLabel, loseLabel, onKeep, onLose, isPending, children } = props
  const { look = 'danger' } = props
  const focus = useFocusReturn()
  const close = () => {
    if (!isPending) onKeep()
  }
  useOpenLayer(true, close)

  return (
    <AlertDialog.Root open onOpenChange={close}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-50 animate-appear bg-veil" />
        <AlertDialog.Content
          onOpenAutoFocus={focus.remember}
          onCloseAutoFocus={focus.restore}
          className="fixed inset-0 z-50 m-auto h-fit w-[calc(100%-2rem)] max-w-sm animate-rise rounded-2xl bg-paper p-6 shadow-lifted outline-none"
        >
          <AlertDialog.Title className="text-lg font-semibold tracking-tight">
            {title}
          </AlertDialog.Title>
          <AlertDialog.Description className="mt-1.5 text-sm/6 text-soft">
            {description}
          </AlertDialog.Description>
          {children}
          <div className="mt-6 flex flex-wrap-reverse justify-end gap-3 max-sm:*:flex-1">
            <AlertDialog.Cancel asChild>
              <Button>{keepLabel}</Button>
            </AlertDialog.Cancel>
            <Button look={look} isPending={isPending} onClick={onLose}>
              {loseLabel}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}

type SearchDialogProps = {
  /** For screen readers. */
  title: string
  onClose: () => void
  children: ReactNode
}

/** Near the top of the screen, where it keeps its place while its content grows, and above a phone's keyboard. */
export function SearchDialog({ title, onClose, children }: SearchDialogProps) {
  const focus = useFocusReturn()
  useOpenLayer(true, onClose)

  return (
    <RadixDialog.Root open onOpenChange={onClose}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-40 animate-appear bg-veil" />
        <RadixDialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={focus.remember}
          onCloseAutoFocus={focus.restore}
          className="fixed inset-x-0 top-[max(12dvh,3.5rem)] z-40 mx-auto flex w-[calc(100%-3rem)] max-w-xl animate-rise flex-col overflow-hidden rounded-2xl bg-paper shadow-lifted outline-none max-sm:top-14 max-sm:w-[calc(100%-1rem)]"
        >
          <RadixDialog.Title className="sr-only">{title}</RadixDialog.Title>
          {children}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  )
}

type SheetProps = {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  /** For screen readers. */
  title: string
  /** The edge of the page it slides in from. */
  side?: keyof typeof sides
  children: ReactNode
  className?: string
}

const sides = {
  start: 'start-0 rounded-se-2xl bg-well',
  end: 'end-0 rounded-ss-2xl bg-paper [--panel-edge:1]',
}

/** A panel over an edge of the page. */
export function Sheet(props: SheetProps) {
  const { isOpen, onOpenChange, title, side = 'start', children, className } = props
  const focus = useFocusReturn()
  useOpenLayer(isOpen, () => onOpenChange(false))

  return (
    <RadixDialog.Root open={isOpen} onOpenChange={onOpenChange}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-40 animate-appear bg-veil data-[state=closed]:animate-leave" />
        <RadixDialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            focus.remember()
            // Not its first button, which may be far down and have a tooltip that takes the first Esc.
            event.preventDefault()
            if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
          }}
          onCloseAutoFocus={focus.restore}
          className={classNames(
            'fixed top-14 bottom-0 z-40 flex max-w-[calc(100vw-3rem)] animate-panel flex-col shadow-lifted outline-none data-[state=closed]:animate-panel-leave',
            sides[side],
            className,
          )}
        >
          <RadixDialog.Title className="sr-only">{title}</RadixDialog.Title>
          {children}
          <CloseButton className="end-2 top-2.5 pointer-coarse:top-1.5" />
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  )
}

function CloseButton({ className }: { className: string }) {
  return (
    <RadixDialog.Close asChild>
      <Button look="bare" size="icon" className={classNames('absolute', className)}>
        <X aria-hidden className="size-4.5" />
        <span className="sr-only">Close</span>
      </Button>
    </RadixDialog.Close>
  )
}

/**
 * Closing returns the focus to the element that had it, unless it has moved on, to a new page. If that element is gone,
 * such as the button of a list that is no longer empty, the page gets it.
 */
function useFocusReturn() {
  const opener = useRef<Element>(null)
  return {
    remember: () => {
      opener.current = document.activeElement
    },
    restore: (event: Event) => {
      event.preventDefault()
      if (document.activeElement !== document.body) return
      const isConnected = opener.current instanceof HTMLElement && opener.current.isConnected
      const target = isConnected ? opener.current : document.querySelector('main')
      if (target instanceof HTMLElement) returnFocus(target)
    },
  }
}

type PanelProps = {
  /** The button that opens it. */
  button: RefObject<HTMLElement | null>
  id: string
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

export type MenuEntry = { icon?: LucideIcon; label: string; onSelect: () => void }

type MenuPanelProps = PanelProps & {
  buttonId: string
  entries: MenuEntry[]
  /** The label of an entry, where one is always chosen. */
  chosen?: string | undefined
}

const entryClass =
  'flex h-9 cursor-default items-center gap-2.5 rounded-lg px-2.5 text-sm outline-none select-none data-[highlighted]:bg-ink/6 pointer-coarse:h-11'

export function MenuPanel(props: MenuPanelProps) {
  const { button, id, isOpen, onOpenChange, buttonId, entries, chosen } = props
  return (
    // Not modal: a dialog that an item opens takes the focus before the menu has left.
    <DropdownMenu.Root modal={false} open={isOpen} onOpenChange={onOpenChange}>
      <DropdownMenu.Trigger asChild>
        <Existing element={button} />
      </DropdownMenu.Trigger>
      {/* Inside the page's landmark, for those who move from landmark to landmark. */}
      <DropdownMenu.Portal container={document.querySelector('main')}>
        <DropdownMenu.Content
          id={id}
          aria-labelledby={buttonId}
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className="z-30 min-w-44 animate-appear rounded-xl border border-line bg-card p-1.5 shadow-lifted outline-none"
        >
          {chosen === undefined ? (
            entries.map(({ icon: Icon, label, onSelect }) => (
              <DropdownMenu.Item key={label} onSelect={onSelect} className={entryClass}>
                {Icon && <Icon aria-hidden className="size-4 text-soft" />}
                {label}
              </DropdownMenu.Item>
            ))
          ) : (
            <DropdownMenu.RadioGroup value={chosen}>
              {entries.map(({ label, onSelect }) => (
                <DropdownMenu.RadioItem
                  key={label}
                  value={label}
                  onSelect={onSelect}
                  className={entryClass}
                >
                  {label}
                  <DropdownMenu.ItemIndicator className="ms-auto ps-2">
                    <Check aria-hidden className="size-4 text-accent-strong" />
                  </DropdownMenu.ItemIndicator>
                </DropdownMenu.RadioItem>
              ))}
            </DropdownMenu.RadioGroup>
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

const popoverLooks = {
  /** Fields or a list, over a page of paper. */
  panel:
    'w-80 max-w-[calc(100vw-1.5rem)] rounded-xl border border-line bg-card p-4 text-sm outline-none',
  /** The same over cards. */
  sheet: 'w-72 rounded-2xl border border-line bg-paper p-5 outline-none',
  /** A sentence. */
  note: 'max-w-72 rounded-xl bg-ink px-3.5 py-2.5 text-[0.8125rem]/5 text-pretty text-paper',
}

type PopoverPanelProps = PanelProps & {
  title: string
  look: keyof typeof popoverLooks
  align: 'start' | 'end'
  children: ReactNode
}

export function PopoverPanel(props: PopoverPanelProps) {
  const { button, id, isOpen, onOpenChange, title, look, align, children } = props
  const isNote = look === 'note'
  return (
    <RadixPopover.Root open={isOpen} onOpenChange={onOpenChange}>
      <RadixPopover.Trigger asChild>
        <Existing element={button} />
      </RadixPopover.Trigger>
      {/* Inside the page's landmark, for those who move from landmark to landmark. */}
      <RadixPopover.Portal container={document.querySelector('main')}>
        <RadixPopover.Content
          id={id}
          aria-label={title}
          side={isNote ? 'top' : 'bottom'}
          align={isNote ? 'center' : align}
          sideOffset={6}
          collisionPadding={12}
          onOpenAutoFocus={(event) => {
            // A note has no controls: the focus stays on the button, and Tab continues from there.
            if (isNote) event.preventDefault()
          }}
          className={classNames(
            'z-30 max-h-(--radix-popover-content-available-height) animate-appear overflow-y-auto overscroll-contain shadow-lifted',
            popoverLooks[look],
          )}
        >
          {children}
        </RadixPopover.Content>
      </RadixPopover.Portal>
    </RadixPopover.Root>
  )
}

type TooltipPanelProps = Pick<PanelProps, 'button' | 'id'> & {
  side: 'top' | 'right' | 'bottom' | 'left'
  onClose: () => void
  children: ReactNode
}

const tooltipOffsetPx = 8

/** Open for as long as it is rendered. */
export function TooltipPanel({ button, id, side, onClose, children }: TooltipPanelProps) {
  return (
    <RadixTooltip.Provider>
      <RadixTooltip.Root open onOpenChange={onClose}>
        <RadixTooltip.Trigger asChild>
          <Existing element={button} />
        </RadixTooltip.Trigger>
        <RadixTooltip.Portal>
          <RadixTooltip.Content
            id={id}
            side={side}
            sideOffset={tooltipOffsetPx}
            collisionPadding={tooltipOffsetPx}
            className="z-50 animate-appear rounded-md bg-ink px-2.5 py-1.5 text-xs font-medium text-paper shadow-lifted"
          >
            {children}
          </RadixTooltip.Content>
        </RadixTooltip.Portal>
      </RadixTooltip.Root>
    </RadixTooltip.Provider>
  )
}

type ExistingProps = { element: RefObject<HTMLElement | null>; ref?: Ref<HTMLElement | null> }

/** Stands where Radix renders a button, for one that was on the page before: Radix places panels and returns the focus by it. */
function Existing({ element, ref }: ExistingProps) {
  useImperativeHandle<HTMLElement | null, HTMLElement | null>(ref, () => element.current, [element])
  return null
}
