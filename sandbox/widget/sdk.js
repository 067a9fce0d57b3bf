import { createGateway } from './gateway.js'
import { createWidget } from './widget.js'

const script = /** @type {HTMLScriptElement | null} */ (document.currentScript)
const base = (script?.src ?? location.href).replace(/\/gateway\/ecom\/card\/v2\/sdk\.js.*$/, '')
const gateway = createGateway(base)

/** By the id of their container. @type {Map<string, import('./widget.js').Widget>} */
const mounted = new Map()

const SumUpCard = {
  /** @param {import('./widget.js').WidgetConfig} config */
  mount(config) {
    const id = config.id ?? 'sumup-card'
    const container = document.getElementById(id)
    if (container === null) throw new Error(`SumUpCard: there is no element with the id "${id}"`)
    const former = mounted.get(id)
    // As SumUp's: who mounts twice without unmounting keeps the old checkout and the old price.
    if (former?.container === container) return handleOf(id, former)
    former?.unmount()
    const widget = createWidget(container, config, gateway)
    mounted.set(id, widget)
    return handleOf(id, widget)
  },
  unmount(id = 'sumup-card') {
    mounted.get(id)?.unmount()
    mounted.delete(id)
  },
}

/** @param {string} id @param {import('./widget.js').Widget} widget */
function handleOf(id, widget) {
  return {
    submit: () => widget.submit(),
    /** @param {import('./widget.js').WidgetConfig} changes */
    update: (changes) => widget.update(changes),
    unmount() {
      widget.unmount()
      if (mounted.get(id) === widget) mounted.delete(id)
    },
  }
}

Object.assign(window, { SumUpCard, SumUpPayment: SumUpCard })
