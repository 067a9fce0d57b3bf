import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react'

import type * as layersModule from './layers.tsx'

type Layers = typeof layersModule

let layers: Layers | undefined
const listeners = new Set<() => void>()

/** Called when the page is on the screen, so that the first click finds them ready. */
export async function loadLayers(): Promise<void> {
  layers ??= await import('./layers.tsx')
  for (const listener of listeners) listener()
}

export function areLayersLoaded(): boolean {
  return layers !== undefined
}

/**
 * A part of layers.tsx, which renders nothing until its code is there. Not React's lazy(): that would hold it back for 300
 * ms, and try no second time. Where it is open and cannot be loaded, the page says so, as for pages that cannot.
 */
export function layer<Props extends object>(
  pick: (layers: Layers) => ComponentType<Props>,
  /** The page works without it. */
  { canBeMissing = false } = {},
): ComponentType<Props> {
  return function Layer(props) {
    const [error, setError] = useState<unknown>()
    const Part = useSyncExternalStore(subscribe, () => layers && pick(layers))
    const isOpen = !('isOpen' in props) || props.isOpen === true
    const isMissing = isOpen && !Part
    useEffect(() => {
      if (isMissing) loadLayers().catch(setError)
    }, [isMissing])
    if (error !== undefined && !canBeMissing) throw error
    return Part && <Part {...props} />
  }
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
