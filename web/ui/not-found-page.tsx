import type { ReactNode } from 'react'

import { Logo } from './logo.tsx'
import { Perforation, Receipt } from './receipt.tsx'

/** In the back-office; `children` is where admins go from here. */
export function NotFoundPage({ children }: { children: ReactNode }) {
  return (
    <main className="grid min-h-dvh place-items-center overflow-x-clip p-4">
      <Receipt className="max-w-sm">
        <div className="px-6 pt-6 pb-7 text-center sm:px-8">
          <p className="font-mono text-xs tracking-widest text-muted uppercase">404</p>
          <h1 className="mt-2 text-2xl font-semibold tracking-tight">Page Not Found</h1>
          <p className="mt-3 text-sm/6 text-soft">
            There is nothing at this address. Check the link for a missing piece, or ask the shop
            that sent it to you for a new one.
          </p>
          {children}
        </div>
        <Perforation />
        <div className="flex justify-center px-8 pt-5 pb-6 text-soft">
          <Logo />
        </div>
      </Receipt>
    </main>
  )
}
