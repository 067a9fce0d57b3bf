import type { ReactNode } from 'react'

import { type LinkPreview, linkPictureSize } from '#contract/link-cards.ts'
import { apiRoutes } from '#contract/paths.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'

import { usePreview } from './use-preview.ts'

/** The card of the product's link, about as each of three services shows it: none of them says exactly how. */
export function LinkCards({ draft }: { draft: string }) {
  const { data, isError } = usePreview<LinkPreview>(apiRoutes.linkPreview, draft)
  if (isError && !data)
    return <p className="text-sm text-soft">The card cannot be shown right now.</p>
  if (!data) return <Skeleton className="h-96 w-full" />

  return (
    <div className="space-y-5">
      <Service name="WhatsApp">
        <div className="overflow-hidden rounded-lg bg-[#d9fdd3] p-1 text-[#111b21]">
          <div className="overflow-hidden rounded-md bg-[#d1f4cc]">
            <Picture card={data} />
            <div className="px-3 py-2">
              <p className="line-clamp-2 text-sm font-semibold wrap-anywhere">{data.title}</p>
              <p className="line-clamp-1 text-[0.8125rem] wrap-anywhere">{data.description}</p>
              <p className="text-xs text-[#4a5a52]">{data.host}</p>
            </div>
          </div>
        </div>
      </Service>
      <Service name="iMessage">
        <div className="overflow-hidden rounded-2xl bg-[#e9e9eb] text-[#000]">
          <Picture card={data} />
          <div className="px-3.5 py-2">
            <p className="line-clamp-2 text-sm font-semibold wrap-anywhere">{data.title}</p>
            <p className="text-xs text-[#5b5b60]">{data.host}</p>
          </div>
        </div>
      </Service>
      <Service name="Slack">
        <div className="border-s-4 border-[#dddddd] bg-[#ffffff] py-1 ps-3 pe-2 text-[#1d1c1d]">
          <p className="text-[0.8125rem] font-bold">{data.host}</p>
          <p className="text-sm font-bold wrap-anywhere text-[#1264a3]">{data.title}</p>
          <p className="mb-2 line-clamp-4 text-sm wrap-anywhere">{data.description}</p>
          <Picture card={data} className="rounded-lg" />
        </div>
      </Service>
    </div>
  )
}

function Service({ name, children }: { name: string; children: ReactNode }) {
  return (
    <figure className="max-w-90">
      <figcaption className="mb-1.5 text-sm text-soft">{name}</figcaption>
      {children}
    </figure>
  )
}

function Picture({ card, className = '' }: { card: LinkPreview; className?: string }) {
  return (
    <img src={card.picture} alt="" {...linkPictureSize} className={`h-auto w-full ${className}`} />
  )
}
