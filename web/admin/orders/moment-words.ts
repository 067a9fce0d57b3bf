type Shown = { timeZone: string }

const here: Shown = { timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone }

/** 'Nov 15, 2026' and 'at 9:05 AM', apart so that they can stand on two lines. */
export function showMoment(iso: string, { timeZone } = here): { day: string; time: string } {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(new Date(iso))
      .map(({ type, value }) => [type, value]),
  )
  const { month, day, year, hour, minute, dayPeriod } = parts
  return { day: `${month} ${day}, ${year}`, time: `at ${hour}:${minute} ${dayPeriod}` }
}

/** How long ago that was, and by which clock it is told. */
export function explainMoment(iso: string, { timeZone } = here, now = Date.now()): string {
  return `${howLongAgo(new Date(iso).getTime() - now)}, ${timeZone} time`
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

const ago = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

function howLongAgo(differenceMs: number): string {
  const fitting = units.find(([, ms]) => Math.abs(differenceMs) >= ms)
  if (!fitting) return 'just now'
  const [unit, ms] = fitting
  return ago.format(Math.trunc(differenceMs / ms), unit)
}

/** Making one is slow, and a list needs it for every row. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    hour12: true,
  })
  formats.set(timeZone, format)
  return format
}
