import type { ReactNode } from 'react'

import { classNames } from './class-names.ts'

/** The card of pages that stand alone, drawn as a printed receipt with a torn lower edge. */
export function Receipt({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <div className={classNames('w-full', className)}>
      <div className="relative z-10 h-3 rounded-full bg-slot" />
      <div className="-mx-8 -mt-1.5 overflow-hidden px-12 pb-12">
        <div className="animate-print drop-shadow-slip">
          <div className="torn-edge bg-card">
            <div className="h-4 bg-linear-to-b from-veil/30 to-transparent" />
            {children}
          </div>
        </div>
      </div>
    </div>
  )
}

export function Perforation() {
  return <hr className="perforation mx-6 sm:mx-8" />
}

export function Barcode() {
  return <div aria-hidden className="barcode mx-auto h-9 w-46 opacity-75" />
}
