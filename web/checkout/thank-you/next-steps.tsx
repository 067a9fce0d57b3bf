import { type OrderStatus, orderStatuses } from '#contract/order-statuses.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Icon } from '#web/checkout/icon.tsx'

/** In the order of the statuses that they come with. */
const steps = [
  'The shop has your order and your payment',
  'Your order is prepared and packed',
  'Your parcel is on its way by Standard Shipping',
]

export function NextSteps({ status }: { status: OrderStatus }) {
  const reached = orderStatuses.indexOf(status)

  return (
    <section aria-labelledby="next-heading" className="px-5 py-7 sm:px-10">
      <h2 id="next-heading" className="text-lg font-semibold tracking-tight">
        {"What's next"}
      </h2>
      <ol className="mt-4 space-y-4">
        {steps.map((text, place) => {
          const isDone = place <= reached
          return (
            <li key={text} className="flex gap-3.5 text-[0.9375rem]/6">
              <span
                className={classNames(
                  'grid size-6 shrink-0 place-items-center rounded-full text-[0.8125rem] font-medium',
                  isDone ? 'bg-accent text-on-accent' : 'border border-line-strong text-muted',
                )}
              >
                {isDone ? <Icon name="tick" className="size-3.5" strokeWidth={3} /> : place + 1}
              </span>
              <span className={isDone ? undefined : 'text-soft'}>
                {text}
                {isDone && <span className="sr-only"> (done)</span>}
              </span>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
