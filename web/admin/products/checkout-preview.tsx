import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useFormContext } from 'react-hook-form'

import { apiRoutes } from '#contract/paths.ts'
import type { ProductInput } from '#contract/products.ts'
import { callServer } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'

const debounceMs = 300

const screens = {
  phone: { label: 'Phone', icon: Smartphone, width: 375, height: 667 },
  desktop: { label: 'Desktop', icon: Monitor, width: 1280, height: 1000 },
}

type Screen = keyof typeof screens

/** The checkout page of the product in the form, as the server would render it, before it is saved. */
export function CheckoutPreview() {
  const html = usePreviewHtml()
  const [screen, setScreen] = useState<Screen>('phone')
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    // Returns a promise in newer browsers, which an effect must not.
    section.current?.scrollIntoView({ block: 'nearest' })
  }, [])

  return (
    <section
      ref={section}
      aria-label="Checkout preview"
      className="min-w-0 self-start lg:sticky lg:top-0"
    >
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-semibold tracking-tight">Checkout preview</h3>
        <div className="flex gap-1.5">
          {Object.entries(screens).map(([name, { label, icon: Icon }]) => (
            <Button
              key={name}
              size="small"
              look={name === screen ? 'secondary' : 'bare'}
              aria-pressed={name === screen}
              onClick={() => setScreen(name as Screen)}
            >
              <Icon aria-hidden className="size-4" />
              {label}
            </Button>
          ))}
        </div>
      </div>
      <PreviewFrame html={html} screen={screen} />
    </section>
  )
}

/** Follows what is typed, a moment later. */
function usePreviewHtml(): string {
  const { watch } = useFormContext<ProductInput>()
  const draft = JSON.stringify(watch())
  const [settled, setSettled] = useState(draft)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(draft), debounceMs)
    return () => clearTimeout(timer)
  }, [draft])

  const { data } = useQuery({
    queryKey: [apiRoutes.productPreview, settled],
    queryFn: async ({ signal }) => {
      const body: unknown = JSON.parse(settled)
      const response = await callServer('POST', apiRoutes.productPreview, body, signal)
      return ((await response.json()) as { html: string }).html
    },
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  return data ?? ''
}

/** In the size of that screen, scaled down to the width there is. No script of the page runs, and nothing in it is pressed. */
function PreviewFrame({ html, screen }: { html: string; screen: Screen }) {
  const { label, width, height } = screens[screen]
  const box = useRef<HTMLDivElement>(null)
  const scrollTop = useRef(0)
  const [boxWidth, setBoxWidth] = useState(0)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() => setBoxWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const scale = Math.min(1, boxWidth / width)

  return (
    <div
      ref={box}
      className="overflow-hidden rounded-xl border border-line bg-[#fff]"
      style={{ aspectRatio: `${width} / ${height}`, maxHeight: height }}
    >
      <iframe
        title={`Checkout preview: ${label}`}
        sandbox="allow-same-origin"
        srcDoc={html}
        onLoad={({ currentTarget: { contentDocument, contentWindow } }) => {
          if (!contentDocument || !contentWindow) return
          contentDocument.body.inert = true
          contentWindow.scrollTo(0, scrollTop.current)
          contentWindow.addEventListener('scroll', () => {
            scrollTop.current = contentWindow.scrollY
          })
        }}
        className="mx-auto block max-w-none origin-top-left"
        style={{ width, height, ...(scale < 1 && { transform: `scale(${scale})` }) }}
      />
    </div>
  )
}
