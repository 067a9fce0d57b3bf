import { CalendarRange } from 'lucide-react'
import { Popover } from 'radix-ui'
import { type FormEvent, useState } from 'react'
import { navigate } from 'wouter/use-browser-location'

import type { Days } from '#contract/days.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/fields.tsx'

import { firstDay, ownTimeZone, todayIn } from './calendar.ts'
import { choiceLook } from './choice-look.ts'
import { type DateRange, daysOf, hrefOf, problemOfChoice } from './date-range.ts'

type OwnRangeProps = {
  range: DateRange
  /** The days on the screen, from which one starts. */
  shown: Days | undefined
}

export function OwnRange({ range, shown }: OwnRangeProps) {
  const [isOpen, setIsOpen] = useState(false)
  const isChosen = !('preset' in range)

  return (
    <Popover.Root open={isOpen} onOpenChange={setIsOpen}>
      <Popover.Trigger
        aria-current={isChosen ? 'true' : undefined}
        className={choiceLook(isChosen)}
      >
        <CalendarRange aria-hidden className="size-4" />
        Custom
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          aria-label="Choose your own days"
          align="end"
          sideOffset={8}
          collisionPadding={16}
          className="z-30 w-72 animate-appear rounded-2xl border border-line bg-paper p-5 shadow-lifted data-[state=closed]:animate-none"
        >
          <OwnDays range={range} shown={shown} onChosen={() => setIsOpen(false)} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

type OwnDaysProps = OwnRangeProps & { onChosen: () => void }

function OwnDays({ range, shown, onChosen }: OwnDaysProps) {
  const today = todayIn(ownTimeZone())
  const [days, setDays] = useState<Days>(() => {
    // No more than the two days: figures may have come with them.
    const { from, to } = daysOf(range, today) ?? shown ?? { from: today, to: today }
    return { from, to }
  })
  const [hasTried, setHasTried] = useState(false)
  const problem = problemOfChoice(days, today)
  const errorOf = (day: keyof Days) => (hasTried && problem?.of === day ? problem.words : undefined)

  function show(event: FormEvent) {
    event.preventDefault()
    setHasTried(true)
    if (problem) return
    onChosen()
    navigate(hrefOf(days))
  }

  return (
    <form onSubmit={show} noValidate className="flex flex-col gap-4">
      <TextField
        label="First day"
        type="date"
        value={days.from}
        min={firstDay}
        max={today}
        error={errorOf('from')}
        onChange={({ target }) => setDays({ ...days, from: target.value })}
      />
      <TextField
        label="Last day"
        type="date"
        value={days.to}
        min={firstDay}
        max={today}
        error={errorOf('to')}
        onChange={({ target }) => setDays({ ...days, to: target.value })}
      />
      <Button look="primary" type="submit">
        Show these days
      </Button>
    </form>
  )
}
