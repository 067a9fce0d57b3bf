import type { OrderStatus } from '#contract/orders.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Icon } from '#web/storefront/checkout/icon.tsx'

const steps = [
  'The shop has your order and your payment',
  'Your order is prepared and packed',
  'Your parcel is on its way by Standard Shipping',
]

/** How many of them are done. An order that is being prepared is not packed yet. */
const stepsDone: Record<OrderStatus, number> = {
  pending: 1,
  processing: 1,
  shipped: 3,
  completed: 3,
}

export function NextSteps({ status }: { status: OrderStatus }) {
  return (
    <section aria-labelledby="next-heading" className="px-5 py-7 sm:px-10">
      <h2 id="next-heading" className="text-lg font-semibold tracking-tight">
        {"What's next"}
      </h2>
      <ol className="mt-4 space-y-4">
        {steps.map((text, place) => {
          const isDone = place < stepsDone[status]
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
