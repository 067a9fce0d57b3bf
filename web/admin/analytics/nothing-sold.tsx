import { Link } from 'wouter'

import { hrefOf } from './date-range.ts'

/** Over a picture without a bar, so that nobody waits for it. */
export function NothingSold({ isAllTime }: { isAllTime: boolean }) {
  return (
    <div className="absolute inset-0 flex flex-col items-center justify-center gap-1 pb-7 text-sm">
      <p className="text-soft">
        {isAllTime ? 'Nothing was sold yet.' : 'Nothing was sold in these days.'}
      </p>
      {!isAllTime && (
        <Link
          href={hrefOf({ preset: 'all' })}
          className="inline-flex h-9 items-center font-medium text-accent underline underline-offset-4 hover:text-accent-strong pointer-coarse:h-11"
        >
          Show all time
        </Link>
      )}
    </div>
  )
}
