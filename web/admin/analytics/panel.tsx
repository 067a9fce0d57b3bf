import { ArrowDownRight, ArrowUpRight, CircleQuestionMark } from 'lucide-react'
import { type ReactNode, useId } from 'react'

import type { AnalyticsSummary } from '#contract/analytics.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Popover } from '#web/ui/popover.tsx'

import type { Comparison } from './comparison.ts'

export const panelClass = 'rounded-2xl border border-line bg-card shadow-rest'
export const panelPadding = 'px-5 pt-3.5 pb-5 @3xl:px-6 @3xl:pt-4 @3xl:pb-6'

type PanelProps = {
  title: string
  /** What is counted here. */
  definition: string
  /** Shown at the end of the title's line. */
  action?: ReactNode
  children: ReactNode
}

export function Panel({ title, definition, action, children }: PanelProps) {
  const id = useId()

  return (
    <section aria-labelledby={id} className={`flex flex-col ${panelClass} ${panelPadding}`}>
      <header className="flex min-h-9 items-center gap-1">
        <h2 id={id} className="text-[0.9375rem] font-semibold tracking-tight">
          {title}
        </h2>
        <Definition of={title} text={definition} />
        {action && <div className="ms-auto">{action}</div>}
      </header>
      {children}
    </section>
  )
}

type DefinitionProps = {
  /** The figure that is explained. */
  of: string
  text: string
}

/**
 * A question mark that explains a figure on click, tap or key press. Not a tooltip: touch screens cannot hover, and
 * tooltips open unasked and close on scroll.
 */
export function Definition({ of, text }: DefinitionProps) {
  return (
    <Popover
      title={`About ${of}`}
      look="note"
      trigger={
        <button
          type="button"
          aria-label={`About ${of}`}
          // oxlint-disable-next-line jsx-a11y/role-supports-aria-props -- every role supports it since ARIA 1.3
          aria-description={text}
          className="relative grid size-6 shrink-0 place-items-center rounded-full text-line-strong transition-colors hover:text-ink aria-expanded:text-ink pointer-coarse:after:absolute pointer-coarse:after:-inset-2.5"
        >
          <CircleQuestionMark aria-hidden className="size-3.5" />
        </button>
      }
    >
      {text}
    </Popover>
  )
}

const viewRule = 'Every load is a view, except by crawlers and link previews.'

export const definitions = {
  revenue: ({ currency, otherCurrencies }: AnalyticsSummary) => {
    const text = `The money of all orders paid in ${currency}, on the day each was placed, without what went back since: refunds and chargebacks.`
    return otherCurrencies.length === 0
      ? text
      : `${text} Payments in other currencies are listed below and not included.`
  },
  orders: 'Every order that was paid, in whatever currency. Nobody can order without paying.',
  averageOrder: ({ currency }: AnalyticsSummary) =>
    `Total Revenue divided by the number of orders paid in ${currency}.`,
  conversion: `Completed payments divided by views of your checkout pages. ${viewRule}`,
  visitors:
    'Browsers that opened a checkout page, recognised by a cookie. Each counts once a day, however often it comes.',
  chart: ({ tz }: AnalyticsSummary) =>
    `The money of each day; a day begins at midnight, ${tz.replaceAll('_', ' ')} time (Settings, Shop). The dashed line is as many days right before.`,
  funnel:
    'How far visitors come. Views: a checkout page was opened. Payment started: contact and delivery were handed in. Paid: it became an order. Thank-you: the confirmation was seen.',
  topProducts: ({ currency }: AnalyticsSummary) =>
    `The five products that brought in most, paid in ${currency}.`,
  devices: `Your visitors’ devices, of all views. ${viewRule}`,
  countries:
    'Where your visitors’ internet connections are registered, of all views. Some hide it.',
  referrers:
    'The sites on which your links were clicked. Direct: a typed or pasted link, a mail, an app, or a browser that does not tell.',
}

const arrowIcons = { up: ArrowUpRight, down: ArrowDownRight }

type ChangeNoteProps = {
  comparison: Comparison
  /** The previous period is named nearby: beside an arrow it is repeated for screen readers only. */
  isShort?: boolean
}

export function ChangeNote({ comparison, isShort = false }: ChangeNoteProps) {
  const { arrow, change, against } = comparison
  const Icon = arrow && arrowIcons[arrow]
  return (
    <p className={classNames('flex items-center gap-1', arrow === 'up' && 'text-accent')}>
      {Icon && <Icon aria-hidden className="-ms-0.5 size-4 shrink-0" />}
      <span>
        <span className="font-medium">{change}</span>{' '}
        <span className={isShort && Icon ? 'sr-only' : 'text-muted'}>{against}</span>
      </span>
    </p>
  )
}
