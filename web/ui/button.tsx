import type { ComponentProps, MouseEvent } from 'react'

import { classNames } from './class-names.ts'
import { Spinner } from './spinner.tsx'

const looks = {
  primary:
    'bg-accent text-on-accent shadow-rest hover:bg-accent-strong aria-disabled:hover:bg-accent',
  secondary:
    'border border-line-strong/60 bg-card text-ink shadow-rest hover:border-line-strong hover:bg-well',
  danger: 'bg-danger text-card shadow-rest hover:bg-danger/90',
  bare: 'text-soft hover:bg-ink/6 hover:text-ink',
}

const sizes = {
  small: 'h-8 gap-1.5 px-2.5 text-[0.8125rem] pointer-coarse:h-11',
  medium: 'h-9 px-4 pointer-coarse:h-11',
  large: 'h-11 px-5',
  icon: 'size-9 pointer-coarse:size-11',
  smallIcon: 'size-8 shrink-0 pointer-coarse:size-11',
}

export type ButtonProps = ComponentProps<'button'> & {
  look?: keyof typeof looks
  size?: keyof typeof sizes
  /** It keeps the focus but ignores clicks. */
  isPending?: boolean
}

/** For links that look like buttons. */
export function buttonClass(look: keyof typeof looks, size: keyof typeof sizes): string {
  return classNames(
    'inline-flex items-center justify-center gap-2 rounded-lg text-sm font-medium whitespace-nowrap select-none',
    'transition-colors aria-disabled:cursor-default',
    looks[look],
    sizes[size],
  )
}

export function Button(props: ButtonProps) {
  const { look = 'secondary', size = 'medium', isPending = false, ...button } = props

  function onClick(event: MouseEvent<HTMLButtonElement>) {
    // Also keeps a submit button from sending its form again.
    if (isPending) event.preventDefault()
    else button.onClick?.(event)
  }

  return (
    <button
      type="button"
      {...button}
      onClick={onClick}
      aria-disabled={isPending || button['aria-disabled']}
      className={classNames(buttonClass(look, size), button.className)}
    >
      {isPending && <Spinner />}
      {button.children}
    </button>
  )
}
