import {
  type ComponentType,
  type RefObject,
  useEffect,
  useEffectEvent,
  useSyncExternalStore,
} from 'react'

import type * as layersModule from './layers.tsx'
import { useOpenLayer } from './open-layers.ts'
import { toast } from './use-toast.ts'

type Layers = typeof layersModule

let layers: Layers | undefined
const listeners = new Set<() => void>()

/** Loads them once the page is on the screen, so that the first click finds them ready. */
export async function prepareLayers(): Promise<void> {
  await new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve))
  })
  await loadLayers()
}

async function loadLayers(): Promise<void> {
  layers ??= await import('./layers.tsx')
  for (const listener of listeners) listener()
}

export function areLayersLoaded(): boolean {
  return layers !== undefined
}

type LayerProps = {
  isOpen?: boolean
  /** The button that opens it. */
  button?: RefObject<HTMLElement | null>
  onClose?: () => void
  onKeep?: () => void
  onOpenChange?: (isOpen: boolean) => void
}

/**
 * A part of layers.tsx, which renders nothing until its code is there. Not React's lazy(): that would hold it back for 300
 * ms, and try no second time. Until then it counts as open: shortcuts wait, and Escape gives it up. If it cannot be loaded,
 * it closes and a toast says so.
 */
export function layer<Props extends LayerProps>(
  pick: (layers: Layers) => ComponentType<Props>,
  /** The page works without it, so nobody waits for it. */
  { canBeMissing = false } = {},
): ComponentType<Props> {
  return function Layer(props) {
    const { isOpen = true, button, onClose, onKeep, onOpenChange } = props
    const Part = useSyncExternalStore(subscribe, () => layers && pick(layers))
    const isMissing = isOpen && !Part
    const isAwaited = isMissing && !canBeMissing
    const close = useEffectEvent(() => {
      onClose?.()
      onKeep?.()
      onOpenChange?.(false)
    })
    const hasButton = button !== undefined
    const isOutside = useEffectEvent(({ target }: Event) => {
      return target instanceof Node && !button?.current?.contains(target)
    })
    useOpenLayer(isAwaited, () => close())

    useEffect(() => {
      if (!isMissing) return
      loadLayers().catch(() => {
        if (canBeMissing) return
        close()
        toast({ title: 'Unable to connect to server', variant: 'destructive' })
      })
    }, [isMissing])

    useEffect(() => {
      if (!isAwaited) return
      const ended = new AbortController()
      const { signal } = ended
      const onKey = ({ key }: KeyboardEvent) => {
        if (key === 'Escape') close()
      }
      const onOther = (event: Event) => {
        if (isOutside(event)) close()
      }
      document.addEventListener('keydown', onKey, { signal })
      // Whoever turned to something else must not lose the focus there.
      if (hasButton) document.addEventListener('pointerdown', onOther, { signal, capture: true })
      if (hasButton) document.addEventListener('focusin', onOther, { signal })
      return () => ended.abort()
    }, [isAwaited, hasButton])

    return Part && <Part {...props} />
  }
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
