import { type ChangeEvent, type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'

/** Which bar is being read: by pointer or finger on the picture, or by keyboard in the slider that lies beneath it. */
export function useCursor(count: number, placeAt: (x: number) => number) {
  const [place, setPlace] = useState<number>()
  const slider = useRef<HTMLInputElement>(null)
  const last = count - 1

  function point({ clientX, currentTarget }: PointerEvent) {
    setPlace(placeAt(clientX - currentTarget.getBoundingClientRect().left))
  }

  return {
    place,
    /** Where the keyboard begins. */
    spoken: place ?? last,
    picture: {
      onPointerMove: point,
      onPointerDown: (event: PointerEvent) => {
        point(event)
        slider.current?.focus({ preventScroll: true })
      },
      // A finger that is lifted leaves its reading on the screen, until it taps something else.
      onPointerLeave: ({ pointerType }: PointerEvent) => {
        if (pointerType !== 'touch') setPlace(undefined)
      },
    },
    slider: {
      ref: slider,
      min: 0,
      max: last,
      value: place ?? last,
      onChange: ({ target }: ChangeEvent<HTMLInputElement>) => setPlace(Number(target.value)),
      onFocus: () => setPlace((known) => known ?? last),
      onBlur: () => setPlace(undefined),
      onKeyDown: ({ key }: KeyboardEvent) => {
        if (key === 'Escape') setPlace(undefined)
      },
    },
  }
}
