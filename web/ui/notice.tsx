import { CircleAlert, TriangleAlert } from 'lucide-react'
import type { ComponentProps } from 'react'

import { classNames } from './class-names.ts'

const looks = {
  warning: {
    frame: 'border-warning-line bg-warning-wash',
    mark: 'text-warning',
    icon: TriangleAlert,
  },
  danger: { frame: 'border-danger-line bg-danger-wash', mark: 'text-danger', icon: CircleAlert },
}

type NoticeProps = ComponentProps<'div'> & { look: keyof typeof looks }

/** A message inside the page, where it matters. */
export function Notice({ look, children, className, ...frame }: NoticeProps) {
  const { frame: colours, mark, icon: Icon } = looks[look]

  return (
    <div
      {...frame}
      className={classNames(
        'flex animate-appear gap-2.5 rounded-lg border px-3.5 py-3 text-sm/5',
        colours,
        className,
      )}
    >
      <Icon aria-hidden className={classNames('mt-0.5 size-4 shrink-0', mark)} />
      <div className="min-w-0 wrap-anywhere">{children}</div>
    </div>
  )
}
