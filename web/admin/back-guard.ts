/** Whoever has something to lose, and where they are. */
let guard: { href: string; onBack: () => void } | undefined

/**
 * By the time Back is heard the address has changed already, so it is put back before the router looks.
 * For that this listener must come before the router's: main.tsx imports this file before anything renders.
 */
addEventListener('popstate', (event) => {
  if (!guard) return
  event.stopImmediatePropagation()
  history.pushState(null, '', guard.href)
  guard.onBack()
})

/** From now on Back asks instead of going, until the answer is called. */
export function guardBack(onBack: () => void): () => void {
  const mine = { href: location.href, onBack }
  guard = mine
  return () => {
    if (guard === mine) guard = undefined
  }
}
