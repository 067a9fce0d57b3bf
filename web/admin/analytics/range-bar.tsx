import { CalendarRange } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import { navigate } from 'wouter/use-browser-location'

import type { AnalyticsSummary } from '#contract/analytics.ts'
import type { Days } from '#contract/days.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { TextField } from '#web/ui/fields.tsx'
import { Popover } from '#web/ui/popover.tsx'

import { type DateRange, findRangeProblem, firstDay, presets, rangeHref } from './date-range.ts'
import { formatDay, formatDays } from './format.ts'

type RangeBarProps = {
  range: DateRange
  /** The figures on the screen: of that range, or still of the one before. */
  summary: AnalyticsSummary | undefined
}

/** The choices are links: they can be shared, opened in a new tab, and left by Back. */
export function RangeBar({ range, summary }: RangeBarProps) {
  const chosen = 'preset' in range ? range.preset : undefined

  return (
    <div className="mt-7 flex flex-wrap items-center gap-x-6 gap-y-2">
      <nav aria-label="Date range" className="-ms-3">
        <ul className="flex flex-wrap gap-1">
          {presets.map(({ name, title }) => (
            <li key={name}>
              <Link
                href={rangeHref({ preset: name })}
                aria-current={name === chosen ? 'true' : undefined}
                className={choiceClass(name === chosen)}
              >
                {title}
              </Link>
            </li>
          ))}
          <li>
            <CustomRange range={range} summary={summary} />
          </li>
        </ul>
      </nav>
      {/* Empty, it has no width that would count as moved when the days come. */}
      <p aria-live="polite" className="min-h-5 text-[0.8125rem]/5 text-muted">
        {summary && describeDays(summary)}
      </p>
    </div>
  )
}

function describeDays(summary: AnalyticsSummary): string {
  // Only all time has nothing before it.
  const days = summary.before ? formatDays(summary) : `Since ${formatDay(summary.from)}`
  return `${days}, ${summary.tz.replaceAll('_', ' ')} time`
}

function choiceClass(isChosen: boolean): string {
  return classNames(
    'flex h-9 items-center gap-1.5 rounded-lg px-3 text-sm font-medium whitespace-nowrap transition-colors pointer-coarse:h-11',
    isChosen ? 'bg-accent-wash text-accent-strong' : 'text-soft hover:bg-ink/6 hover:text-ink',
  )
}

function CustomRange({ range, summary }: RangeBarProps) {
  const [isOpen, setIsOpen] = useState(false)
  const isChosen = !('preset' in range)

  return (
    <Popover
      title="Choose your own days"
      look="sheet"
      align="end"
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      trigger={
        <button
          type="button"
          aria-current={isChosen ? 'true' : undefined}
          className={choiceClass(isChosen)}
        >
          <CalendarRange aria-hidden className="size-4" />
          Custom
        </button>
      }
    >
      <CustomRangeForm range={range} summary={summary} onChosen={() => setIsOpen(false)} />
    </Popover>
  )
}

type CustomRangeFormProps = RangeBarProps & { onChosen: () => void }

function CustomRangeForm({ range, summary, onChosen }: CustomRangeFormProps) {
  const today = summary?.today
  const [days, setDays] = useState<Days>(() => {
    const { from, to } = 'preset' in range ? (summary ?? { from: '', to: '' }) : range
    return { from, to }
  })
  const [isSubmitted, setIsSubmitted] = useState(false)
  const problem = findRangeProblem(days, today)

  function submit(event: FormEvent) {
    event.preventDefault()
    setIsSubmitted(true)
    if (problem) return
    onChosen()
    navigate(rangeHref(days))
  }

  const dayField = (field: keyof Days) => ({
    type: 'date',
    value: days[field],
    min: firstDay,
    max: today,
    error: isSubmitted && problem?.field === field ? problem.message : undefined,
    onChange: ({ target }: { target: HTMLInputElement }) =>
      setDays({ ...days, [field]: target.value }),
  })

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <TextField label="First day" {...dayField('from')} />
      <TextField label="Last day" {...dayField('to')} />
      <Button look="primary" type="submit">
        Show these days
      </Button>
    </form>
  )
}
