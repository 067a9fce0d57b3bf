/**
 * A toast closes after five seconds, in which a starved machine may not come to look at it. Those of the back-office wait
 * while the pointer moves over their list, those of buyers while they are pointed at. The timer of the page is started first,
 * so that it is before that of any toast also when both are late.
 */
export function keepToasts(): void {
  // In a frame there are none, and in some of them no script may run.
  if (window.top !== window) return
  const everyMs = 500
  setInterval(() => {
    for (const list of document.querySelectorAll('[role=region]:has(> ol)'))
      list.dispatchEvent(new PointerEvent('pointermove'))
    const cards = 'section[tabindex="-1"] :is([role=alert], output) > span'
    for (const card of document.querySelectorAll(cards))
      card.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))
  }, everyMs)
}
