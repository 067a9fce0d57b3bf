/** A key of the keyboard. */
export function Key({ children }: { children: string }) {
  return (
    <kbd className="inline-grid h-5 min-w-5 place-items-center rounded border border-line-strong/50 bg-card px-1 font-sans text-[0.6875rem] font-medium text-soft">
      {children}
    </kbd>
  )
}
