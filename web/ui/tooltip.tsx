import { Slot } from 'radix-ui'
import {
  createContext,
  type FocusEvent,
  type PointerEvent,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'

import { areLayersLoaded, layer } from './load-layers.tsx'
import { isFocusReturning } from './open-layers.ts'

const TooltipPanel = layer((layers) => layers.TooltipPanel, { canBeMissing: true })

/** How long the pointer rests on a button before its tooltip comes. */
export const TooltipDelayContext = createContext(700)
/** Moving on to the next tooltip within this time skips the delay. */
const skipDelayMs = 300
let skipsDelayUntil = 0
/** Of the newest tooltip: there is one at a time. */
let setIsNewestOpen: ((isOpen: boolean) => void) | undefined

type TooltipProps = {
  content: ReactNode
  /** Must be focusable. */
  children: ReactNode
  side?: 'top' | 'right' | 'bottom' | 'left'
  /** Where the same text is on the screen already. */
  isOff?: boolean
}

export function Tooltip({ content, children, side = 'top', isOff = false }: TooltipProps) {
  const button = useRef<HTMLElement>(null)
  const id = useId()
  const { isOpen, close, handlers } = useTooltip(isOff)

  return (
    <>
      <Slot.Root ref={button} aria-describedby={isOpen ? id : undefined} {...handlers}>
        {children}
      </Slot.Root>
      {isOpen && (
        <TooltipPanel button={button} id={id} side={side} onClose={close}>
          {content}
        </TooltipPanel>
      )}
    </>
  )
}

function useTooltip(isOff: boolean) {
  const delayMs = useContext(TooltipDelayContext)
  const [isOpen, setIsOpen] = useState(false)
  if (isOpen && isOff) setIsOpen(false)
  useEffect(() => {
    if (!isOpen) return
    skipDelays(Infinity)
    return () => skipDelays(Date.now() + skipDelayMs)
  }, [isOpen])
  /** There is one for as long as the pointer is over the button. */
  const timer = useRef<number>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  function open() {
    clearTimeout(timer.current)
    if (!isOff) openAlone(setIsOpen)
  }

  function close() {
    clearTimeout(timer.current)
    setIsOpen(false)
  }

  const handlers = {
    // Not pointerenter: a button that scrolls under the pointer has no tooltip.
    onPointerMove: ({ pointerType }: PointerEvent) => {
      if (pointerType === 'touch' || timer.current !== undefined) return
      timer.current = window.setTimeout(open, Date.now() < skipsDelayUntil ? 0 : delayMs)
    },
    onPointerLeave: () => {
      clearTimeout(timer.current)
      timer.current = undefined
      // One that is on the screen stays while the pointer is on its way to it.
      if (!areLayersLoaded()) setIsOpen(false)
    },
    onPointerDown: close,
    onClick: close,
    onBlur: close,
    onFocus: ({ currentTarget }: FocusEvent) => {
      // A closing dialog returns the focus to its button, which must not open the tooltip.
      if (!isFocusReturning() && currentTarget.matches(':focus-visible')) open()
    },
  }
  return { isOpen, close, handlers }
}

function skipDelays(until: number) {
  skipsDelayUntil = until
}

function openAlone(setIsOpen: (isOpen: boolean) => void) {
  if (setIsNewestOpen !== setIsOpen) setIsNewestOpen?.(false)
  setIsNewestOpen = setIsOpen
  setIsOpen(true)
}
