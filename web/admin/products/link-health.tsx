import { useQuery } from '@tanstack/react-query'
import { Circle, type LucideIcon, OctagonX, TriangleAlert } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'

import type { HealthCheck, LinkActivity, LinkHealth, Product } from '#contract/products.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { shownPicture } from '#contract/pictures.ts'
import { classNames } from '#web/ui/class-names.ts'
import { isLoopback } from '#web/ui/loopback-address.ts'
import { Popover } from '#web/ui/popover.tsx'

type Status = HealthCheck['status']

/** Told apart by shape too, not by colour alone. */
const looks: Record<Status, { icon: LucideIcon; colour: string; word: string }> = {
  ok: { icon: Circle, colour: 'fill-completed text-completed', word: 'works' },
  warn: { icon: TriangleAlert, colour: 'text-warning', word: 'needs a look' },
  fail: { icon: OctagonX, colour: 'text-danger', word: 'needs fixing' },
}

export function useLinkHealth(): LinkHealth | undefined {
  // Asked anew whenever the page opens: what it depends on changes outside of the shop.
  return useQuery<LinkHealth>({ queryKey: [apiRoutes.linkHealth], refetchOnMount: 'always' }).data
}

type LinkHealthDotProps = { product: Product; link: string; health: LinkHealth | undefined }

/** A dot that says whether the checkout link works, with the reasons behind it. */
export function LinkHealthDot({ product, link, health }: LinkHealthDotProps) {
  const [isOpen, setIsOpen] = useState(false)
  const { ref, isSeen } = useSeen()
  const pictures = usePictureChecks(product, isSeen)
  const checks = [
    ...(health?.products[product.id] ?? []),
    ...pictures,
    ...(health?.shop ?? []),
    ...(isLoopback(link) ? [loopbackAddress] : []),
  ]
  const worst = (['fail', 'warn', 'ok'] as const).find((status) =>
    checks.some((one) => one.status === status),
  )
  const { icon: Icon, colour, word } = looks[worst ?? 'ok']

  return (
    <Popover
      title={`Link health: ${product.name}`}
      onOpenChange={setIsOpen}
      trigger={
        <button
          type="button"
          aria-label={`Link health: ${health ? word : 'checking'}. ${product.name}`}
          className="-ms-2 grid size-8 shrink-0 place-items-center rounded-lg hover:bg-ink/6 pointer-coarse:size-11"
        >
          <span ref={ref}>
            <Icon
              aria-hidden
              className={classNames(
                worst === 'ok' || !health ? 'size-2.5' : 'size-4',
                health ? colour : 'text-muted',
              )}
            />
          </span>
        </button>
      }
    >
      <h2 className="font-semibold">This link {health ? word : 'is being checked'}</h2>
      <ul className="mt-3 space-y-2.5">
        {checks.map((check) => (
          <CheckLine key={check.name} {...check} />
        ))}
      </ul>
      {isOpen && <Activity id={product.id} />}
    </Popover>
  )
}

function CheckLine({ name, status, found, todo }: HealthCheck) {
  const { icon: Icon, colour, word } = looks[status]
  return (
    <li className="flex gap-2.5">
      <span className="grid h-5 w-4 shrink-0 place-items-center">
        <Icon aria-hidden className={classNames(status === 'ok' ? 'size-2.5' : 'size-4', colour)} />
      </span>
      <p className="min-w-0 wrap-anywhere">
        <span className="font-medium">{name}</span>
        <span className="sr-only"> {word}</span>
        <span className="block text-soft">
          {found} {todo}
        </span>
      </p>
    </li>
  )
}

function Activity({ id }: { id: string }) {
  const { data } = useQuery<LinkActivity>({
    queryKey: [pathOf(apiRoutes.linkActivity, { id })],
    refetchOnMount: 'always',
  })
  return (
    <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 border-t border-line pt-3">
      <dt className="text-soft">Last visit</dt>
      <dd className="text-end">{data ? formatMoment(data.lastVisitAt, 'None in 30 days') : '…'}</dd>
      <dt className="text-soft">Last sale</dt>
      <dd className="text-end">{data ? formatMoment(data.lastSaleAt, 'None yet') : '…'}</dd>
    </dl>
  )
}

function formatMoment(at: string | null, none: string): string {
  if (!at) return none
  return new Date(at).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })
}

/** Whether it has been on the screen. There may be thousands of products, whose pictures are not all loaded at once. */
function useSeen() {
  const ref = useRef<HTMLSpanElement>(null)
  const [isSeen, setIsSeen] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      setIsSeen(true)
      observer.disconnect()
    })
    if (ref.current) observer.observe(ref.current)
    return () => observer.disconnect()
  }, [])
  return { ref, isSeen }
}

/** Loaded as a buyer's browser would: only that can tell. */
function usePictureChecks({ imageUrl, headerLogoUrl }: Product, isSeen: boolean): HealthCheck[] {
  const image = useLoads(isSeen ? imageUrl : null)
  const logo = useLoads(isSeen ? headerLogoUrl : null)
  return [
    ...(image === false ? [brokenPicture('Product Image')] : []),
    ...(logo === false ? [brokenPicture('Header Logo')] : []),
    ...(image !== false && logo === true ? [loadedPictures] : []),
  ]
}

const loopbackAddress: HealthCheck = {
  name: 'Address',
  status: 'warn',
  found: 'The link works on this computer only.',
  todo: 'Set the public address of the shop first.',
}
const loadedPictures: HealthCheck = { name: 'Pictures', status: 'ok', found: 'They load.' }

function brokenPicture(name: string): HealthCheck {
  return {
    name,
    status: 'warn',
    found: 'The picture does not load.',
    todo: 'Please upload it again.',
  }
}

/** Undefined until it is known, and where this page may not load it: the back-office shows no pictures over http. */
function useLoads(url: string | null): boolean | undefined {
  const [loaded, setLoaded] = useState<{ url: string; isLoaded: boolean }>()
  const source = shownPicture(url, 'thumb')
  useEffect(() => {
    if (!url || !source || (url.startsWith('http:') && !url.startsWith(`${location.origin}/`)))
      return
    let isCurrent = true
    const report = (isLoaded: boolean) => () => {
      if (isCurrent) setLoaded({ url, isLoaded })
    }
    const picture = new Image()
    picture.addEventListener('load', report(true))
    picture.addEventListener('error', report(false))
    picture.src = source
    return () => {
      isCurrent = false
    }
  }, [url, source])
  if (url && !source) return false
  return loaded?.url === url ? loaded.isLoaded : undefined
}
