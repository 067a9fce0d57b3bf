import { useQuery } from '@tanstack/react-query'
import { Printer } from 'lucide-react'
import { useId } from 'react'

import type { Slip } from '#contract/paper.ts'
import { apiRoutes } from '#contract/paths.ts'
import { formatCount } from '#web/admin/orders/order-text.ts'
import type { OpenPanel, OrderNavigation } from '#web/admin/orders/order-url.ts'
import { callServer, refusalText } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

import { PickListSheet } from './pick-list-sheet.tsx'
import { SlipSheet } from './slip-sheet.tsx'

type PaperPanel = Extract<OpenPanel, { ids: readonly string[] }>

const titles = { slips: 'Packing slips', 'pick-list': 'Pick list' }

/** What is printed about some orders, as the paper shows it. */
export function PaperDialog({ navigation }: { navigation: OrderNavigation }) {
  const { panel } = navigation.url
  if (panel?.kind !== 'slips' && panel?.kind !== 'pick-list') return null
  return <Paper panel={panel} onClose={navigation.close} />
}

type PaperProps = { panel: PaperPanel; onClose: () => void }

function Paper({ panel: { kind, ids }, onClose }: PaperProps) {
  const hintId = useId()
  const query = `?ids=${ids.map(encodeURIComponent).join()}`
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [apiRoutes.paper, query],
    queryFn: async ({ signal }) => {
      const answer = await callServer('GET', `${apiRoutes.paper}${query}`, undefined, signal)
      return (await answer.json()) as Slip[]
    },
    // Orders change while this dialog is closed.
    gcTime: 0,
  })

  return (
    <Dialog
      title={titles[kind]}
      description={`${formatCount(ids.length)} order(s)`}
      onClose={onClose}
      className="max-w-3xl"
      footer={
        <div className="flex flex-wrap items-center justify-end gap-3">
          <p id={hintId} className="me-auto text-sm text-soft">
            For a PDF, choose “Save as PDF” as the printer.
          </p>
          <Button
            look="primary"
            aria-disabled={!data}
            aria-describedby={hintId}
            onClick={() => data && window.print()}
            className="max-sm:flex-1"
          >
            <Printer aria-hidden className="size-4" />
            Print
          </Button>
        </div>
      }
    >
      {data ? (
        <>
          <PaperNotices slips={data} />
          <section
            data-paper={kind}
            aria-label="Preview"
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls it
            tabIndex={0}
            className="flex flex-col gap-6"
          >
            {kind === 'slips' ? (
              data.map((slip) => <SlipSheet key={slip.orderId} slip={slip} />)
            ) : (
              <PickListSheet slips={data} />
            )}
          </section>
        </>
      ) : error ? (
        <Notice look="danger" role="alert">
          <p>{refusalText(error) ?? 'The orders could not be loaded.'}</p>
          <Button
            size="small"
            isPending={isFetching}
            onClick={() => void refetch()}
            className="mt-2"
          >
            Try again
          </Button>
        </Notice>
      ) : (
        <div aria-live="polite" aria-busy>
          <p className="sr-only">Loading...</p>
          <Skeleton className="aspect-[210/297] w-full" />
        </div>
      )}
    </Dialog>
  )
}

function PaperNotices({ slips }: { slips: Slip[] }) {
  const warned = slips.flatMap(({ number, warnings }) =>
    warnings.map((warning) => ({ number, warning })),
  )
  return (
    <div data-not-printed className="mb-6 flex flex-col gap-3 empty:hidden">
      {[...Map.groupBy(warned, ({ warning }) => warning)].map(([warning, group]) => (
        <Notice key={warning} look="danger">
          {`${formatOrders(group)}: ${warning}`}
        </Notice>
      ))}
    </div>
  )
}

/** Orders that a notice names; of others it says how many there are. */
const maxNamed = 10

function formatOrders(slips: { number: string }[]): string {
  const numbers = slips.slice(0, maxNamed).map(({ number }) => number)
  const more = slips.length - numbers.length
  return `Order ${numbers.join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`
}
