import { Link, Monitor, Smartphone } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useFormContext } from 'react-hook-form'

import { apiRoutes } from '#contract/paths.ts'
import type { ProductInput } from '#contract/products.ts'
import { Button } from '#web/ui/button.tsx'

import { LinkCards } from './link-cards.tsx'
import { usePreview } from './use-preview.ts'

const debounceMs = 300

const screens = {
  phone: { label: 'Phone', icon: Smartphone, width: 375, height: 667 },
  desktop: { label: 'Desktop', icon: Monitor, width: 1280, height: 1000 },
}

type Screen = keyof typeof screens

const views = { ...screens, link: { label: 'Link', icon: Link } }

type View = keyof typeof views

/** The checkout page of the product in the form and the card of its link, as the server would make them. */
export function CheckoutPreview() {
  const draft = useSettledDraft()
  const [view, setView] = useState<View>('phone')
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
          {Object.entries(views).map(([name, { label, icon: Icon }]) => (
            <Button
              key={name}
              size="small"
              look={name === view ? 'secondary' : 'bare'}
              aria-pressed={name === view}
              onClick={() => setView(name as View)}
            >
              <Icon aria-hidden className="size-4" />
              {label}
            </Button>
          ))}
        </div>
      </div>
      {view === 'link' ? <LinkCards draft={draft} /> : <PagePreview draft={draft} screen={view} />}
    </section>
  )
}

/** What is typed, a moment later, as JSON. */
function useSettledDraft(): string {
  const { watch } = useFormContext<ProductInput>()
  const draft = JSON.stringify(watch())
  const [settled, setSettled] = useState(draft)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(draft), debounceMs)
    return () => clearTimeout(timer)
  }, [draft])
  return settled
}

function PagePreview({ draft, screen }: { draft: string; screen: Screen }) {
  const { data } = usePreview<{ html: string }>(apiRoutes.productPreview, draft)
  return <PreviewFrame html={data?.html ?? ''} screen={screen} />
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
