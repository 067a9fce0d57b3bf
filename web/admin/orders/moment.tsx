import { explainMoment, showMoment } from './moment-words.ts'

/** 'Nov 15, 2026 at 9:05 AM'; where there is little room the line breaks between day and time. */
export function Moment({ at, className }: { at: string; className?: string }) {
  const { day, time } = showMoment(at)
  return (
    <time dateTime={at} title={explainMoment(at)} className={className}>
      <span className="whitespace-nowrap">{day}</span>{' '}
      <span className="whitespace-nowrap">{time}</span>
    </time>
  )
}
