/** Often enough to look alive, seldom enough not to draw a list for every one of a thousand answers. */
const pauseMs = 150

/** Hands things on in bunches. */
export function gather<Thing>(handOn: (things: Thing[]) => void) {
  let waiting: Thing[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  function flush() {
    clearTimeout(timer)
    timer = undefined
    if (waiting.length > 0) handOn(waiting)
    waiting = []
  }

  return {
    flush,
    add: (thing: Thing) => {
      waiting.push(thing)
      timer ??= setTimeout(flush, pauseMs)
    },
  }
}
