const ring = 'M2 12a10 10 0 1 0 20 0 10 10 0 1 0-20 0'

/** One path each on 24 × 24. A fraction of the bytes of an icon library. */
const shapes = {
  lock: 'M5 11h14a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2zm2 0V7a5 5 0 0 1 10 0v4',
  card: 'M4 5h16a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2zm-2 5h20M6 14h3',
  truck:
    'M14 18V6a2 2 0 0 0-2-2H4a2 2 0 0 0-2 2v11a1 1 0 0 0 1 1h2m4 0h6m4 0h2a1 1 0 0 0 1-1v-4l-4-5h-4M5 18a2 2 0 1 0 4 0 2 2 0 1 0-4 0m10 0a2 2 0 1 0 4 0 2 2 0 1 0-4 0',
  down: 'm6 9 6 6 6-6',
  tick: 'M20 6 9 17l-5-5',
  cross: 'M18 6 6 18M6 6l12 12',
  copy: 'M10 8h10a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H10a2 2 0 0 1-2-2V10a2 2 0 0 1 2-2zm-6 8a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2',
  alert: `${ring}M12 8v4m0 4h.01`,
  check: `${ring}M16 9l-5.5 5.5L8 12`,
  clock: `${ring}M12 6v6l4 2`,
  bag: 'M6 2 3 6v14a2 2 0 0 0 2 2h14a2 2 0 0 0 2-2V6l-3-4zM3 6h18m-5 4a4 4 0 0 1-8 0',
  parcel: 'm12 2.5 9 4.5v10l-9 4.5L3 17V7zM3 7l9 5 9-5m-9 5v9.5M7.5 4.8l9 4.7',
  print:
    'M6 18H4a2 2 0 0 1-2-2v-5a2 2 0 0 1 2-2h16a2 2 0 0 1 2 2v5a2 2 0 0 1-2 2h-2M6 9V3h12v6M6 14h12v8H6z',
}

export type IconName = keyof typeof shapes

type IconProps = { name: IconName; className: string; strokeWidth?: number }

/** Hidden from screen readers: the text beside it says the same. */
export function Icon({ name, className, strokeWidth = 2 }: IconProps) {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={strokeWidth}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={className}
    >
      <path d={shapes[name]} />
    </svg>
  )
}
