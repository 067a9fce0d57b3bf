import { Notice } from './notice.tsx'

type RetryNoticeProps = {
  isFetching: boolean
  onRetry: () => void
  className?: string
  children: string
}

/** Says what could not be loaded, and loads it again. */
export function RetryNotice({ isFetching, onRetry, className, children }: RetryNoticeProps) {
  return (
    <Notice look="danger" role="alert" className={className}>
      {children}{' '}
      <button
        type="button"
        aria-disabled={isFetching}
        onClick={onRetry}
        className="font-medium underline underline-offset-4"
      >
        Try again
      </button>
    </Notice>
  )
}
