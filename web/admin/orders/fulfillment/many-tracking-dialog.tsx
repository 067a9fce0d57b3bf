import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, FileUp, Minus } from 'lucide-react'
import { type ChangeEvent, useEffect, useRef, useState } from 'react'

import { type Carrier, carrierNames, carriers } from '#contract/carriers.ts'
import { isOrderNumber, type MatchedOrders, maxMatchedNumbers } from '#contract/orders.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { CarrierOptions } from '#web/admin/orders/carrier-options.tsx'
import { readLastCarrier, rememberCarrier } from '#web/admin/orders/last-carrier.ts'
import { refreshAll } from '#web/admin/orders/order-queries.ts'
import { formatCount, noValue, shortId } from '#web/admin/orders/order-text.ts'
import type { OrderNavigation } from '#web/admin/orders/order-url.ts'
import { forgetForm, useKeepDraft, useKeptDraft } from '#web/admin/session/kept-drafts.ts'
import { handleUnauthorized } from '#web/admin/session/session.ts'
import { callServer, createRandomId, formatQuery } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { CheckboxField, SelectField, TextAreaField } from '#web/ui/fields.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { toast } from '#web/ui/use-toast.ts'

import { type Progress, runBulk } from './bulk-run.ts'
import { checkParcels, maxParcelLines, type Parcel, parseParcelLines } from './parcel-lines.ts'
import { readTakenIds } from './offered-orders.ts'

const formName = 'tracking=many'

/** Tracking numbers of many orders, pasted or from a file. What matches is shown before anything is saved. */
export function ManyTrackingDialog({ navigation }: { navigation: OrderNavigation }) {
  if (navigation.url.panel?.kind !== 'many-tracking') return null
  return <ManyTracking onClose={navigation.close} />
}

function ManyTracking({ onClose }: { onClose: () => void }) {
  const [offered] = useState(() => formatIds(readTakenIds()))
  const draft: { text?: string } | undefined = useKeptDraft(formName)
  const [text, setText] = useState(draft?.text ?? offered)
  const [carrier, setCarrier] = useState<Carrier | ''>(readLastCarrier() ?? '')
  const [tellsCustomer, setTellsCustomer] = useState(true)
  useKeepDraft({
    name: formName,
    opener: formName,
    isUnsaved: text.trim() !== offered.trim(),
    read: () => ({ text }),
    canUndo: true,
  })
  const { parcels, isTooLong, isError, refresh } = useParcels(text, carrier)
  const ready = parcels.filter(({ state }) => state === 'ready')
  const isCarrierMissing = ready.some((parcel) => parcel.carrier === '')
  const [isCarrierAsked, setCarrierAsked] = useState(false)
  const carrierField = useRef<HTMLSelectElement>(null)
  const saving = useSaving(tellsCustomer, { onSaved: close, onPartlySaved: refresh })

  function close(): void {
    forgetForm(formName)
    onClose()
  }

  function save(): void {
    if (isCarrierMissing) {
      setCarrierAsked(true)
      carrierField.current?.focus()
      return
    }
    const items = ready.flatMap((parcel) =>
      parcel.carrier === '' ? [] : [{ ...parcel, carrier: parcel.carrier }],
    )
    if (carrier !== '') rememberCarrier(carrier)
    if (items.length > 0 && items.length === ready.length) void saving.run(items)
  }

  return (
    <Dialog
      title="Add tracking"
      description="One line for each order: its number and the tracking number."
      onClose={onClose}
      className="max-w-2xl"
      footer={
        <div className="flex flex-wrap items-center justify-end gap-3 max-sm:*:flex-1">
          {saving.progress && (
            <div className="me-auto w-40">
              <ProgressBar
                name="Saving tracking"
                fraction={saving.progress.settled / saving.progress.total}
                isPaused={saving.progress.isPaused}
              />
            </div>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            isPending={saving.progress !== undefined}
            aria-disabled={ready.length === 0}
            onClick={save}
          >
            Save {formatCount(ready.length)} tracking number(s)
          </Button>
        </div>
      }
    >
      <div className="flex flex-col gap-5">
        <TextAreaField
          label="Orders and tracking numbers"
          value={text}
          onChange={({ target }) => setText(target.value)}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          rows={4}
          placeholder="1a2b3c4d  00340434161094042557"
          hint="Two columns of a spreadsheet or a CSV. An order is named by its number or the first 8 characters of its ID."
          error={isTooLong ? `At most ${maxParcelLines} lines at once` : undefined}
        />
        <FileButton onRead={setText} />
        <SelectField
          label="Carrier"
          mark="*"
          required
          value={carrier}
          onChange={({ target }) => setCarrier(carriers.find((one) => one === target.value) ?? '')}
          hint="Used where the number itself does not name its carrier."
          error={isCarrierAsked && isCarrierMissing ? 'Choose a carrier from the list' : undefined}
          ref={carrierField}
        >
          <CarrierOptions />
        </SelectField>
        <CheckboxField
          label="Email the link to the customers"
          hint="Once for each order, with its first tracking, unless it is completed."
          checked={tellsCustomer}
          onChange={({ target }) => setTellsCustomer(target.checked)}
        />
        <Preview parcels={parcels} readyCount={ready.length} />
        {isError && (
          <Notice look="danger" role="alert">
            The orders could not be looked up.{' '}
            <Button size="small" onClick={refresh}>
              Try again
            </Button>
          </Notice>
        )}
        {saving.problem && (
          <Notice look="danger" role="alert">
            {saving.problem}
          </Notice>
        )}
      </div>
    </Dialog>
  )
}

/** A line for each, to type behind. */
function formatIds(ids: readonly string[]): string {
  return ids.map((id) => `${id.slice(0, 8)} `).join('\n')
}

function FileButton({ onRead }: { onRead: (text: string) => void }) {
  const input = useRef<HTMLInputElement>(null)

  async function read({ target }: ChangeEvent<HTMLInputElement>): Promise<void> {
    const [file] = target.files ?? []
    if (file) onRead(await file.text())
    target.value = ''
  }

  return (
    <div className="-mt-2">
      <input
        ref={input}
        type="file"
        accept=".csv,.tsv,.txt,text/csv,text/plain"
        aria-label="CSV file"
        tabIndex={-1}
        onChange={(event) => void read(event)}
        className="sr-only"
      />
      <Button size="small" onClick={() => input.current?.click()}>
        <FileUp aria-hidden className="size-4" />
        Choose a CSV file
      </Button>
    </div>
  )
}

/** The pause in typing after which orders are looked up. */
const typingPauseMs = 250

/** The lines of a text, with the orders that they mean. */
function useParcels(text: string, carrier: Carrier | '') {
  const lines = parseParcelLines(text)
  const isTooLong = lines.length > maxParcelLines
  const wanted = isTooLong ? '' : listNumbers(lines.map(({ orderNumber }) => orderNumber)).join()
  const [asked, setAsked] = useState(wanted)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), typingPauseMs)
    return () => clearTimeout(timer)
  }, [wanted])
  const {
    data = [],
    isError,
    refetch,
  } = useQuery({
    queryKey: [apiRoutes.matchedOrders, asked],
    queryFn: ({ signal }) => fetchMatches(asked.split(','), signal),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
    // Orders change while this dialog is closed.
    gcTime: 0,
  })
  const parcels = isTooLong ? [] : checkParcels(lines, data, carrier)
  return { parcels, isTooLong, isError, refresh: () => void refetch() }
}

function listNumbers(numbers: readonly string[]): string[] {
  return [...new Set(numbers.filter(isOrderNumber))]
}

async function fetchMatches(numbers: string[], signal: AbortSignal): Promise<MatchedOrders[]> {
  const parts: string[][] = []
  for (let at = 0; at < numbers.length; at += maxMatchedNumbers)
    parts.push(numbers.slice(at, at + maxMatchedNumbers))
  const answers = await Promise.all(
    parts.map(async (part) => {
      const path = `${apiRoutes.matchedOrders}${formatQuery({ numbers: part.join() })}`
      return (await (await callServer('GET', path, undefined, signal)).json()) as MatchedOrders[]
    }),
  )
  return answers.flat()
}

const looks = {
  ready: { icon: CircleCheck, colour: 'text-completed' },
  idle: { icon: Minus, colour: 'text-muted' },
  problem: { icon: CircleAlert, colour: 'text-danger' },
}

type PreviewProps = { parcels: Parcel[]; readyCount: number }

function Preview({ parcels, readyCount }: PreviewProps) {
  return (
    <section aria-label="Preview">
      <p aria-live="polite" className="text-sm font-medium">
        {parcels.length > 0 &&
          `${formatCount(readyCount)} of ${formatCount(parcels.length)} line(s) will be saved`}
      </p>
      <ul className="mt-2 divide-y divide-line rounded-lg border border-line bg-card text-sm empty:hidden">
        {parcels.map((parcel, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- two lines may be equal
          <PreviewLine key={index} parcel={parcel} />
        ))}
      </ul>
    </section>
  )
}

function PreviewLine({ parcel }: { parcel: Parcel }) {
  const { order, orderNumber, trackingNumber, carrier, state, text } = parcel
  const { icon: Icon, colour } = looks[state]
  return (
    <li className="flex items-start gap-2.5 px-3.5 py-2.5">
      <Icon aria-hidden className={classNames('mt-0.5 size-4 shrink-0', colour)} />
      <div className="grid min-w-0 flex-1 gap-x-4 sm:grid-cols-[8rem_minmax(0,1fr)_minmax(0,1fr)]">
        <bdi className="truncate font-mono text-[0.8125rem]/5">
          {order ? shortId(order.id) : orderNumber || noValue}
        </bdi>
        <p className="min-w-0 wrap-anywhere">
          <bdi>{order ? order.customerName || noValue : ''}</bdi>
          <span
            className={classNames(
              'block text-[0.8125rem]/5',
              state === 'problem' ? colour : 'text-muted',
            )}
          >
            {text}
          </span>
        </p>
        <p className="min-w-0 wrap-anywhere">
          <bdi className="font-mono text-[0.8125rem]/5">{trackingNumber}</bdi>
          {state === 'ready' && carrier !== '' && (
            <span className="block text-[0.8125rem]/5 text-muted">{carrierNames[carrier]}</span>
          )}
        </p>
      </div>
    </li>
  )
}

type ReadyParcel = Parcel & { carrier: Carrier }

/** Saves parcels a few at a time, as one bulk change. */
function useSaving(
  tellsCustomer: boolean,
  { onSaved, onPartlySaved }: { onSaved: () => void; onPartlySaved: () => void },
) {
  const queryClient = useQueryClient()
  const [progress, setProgress] = useState<Progress>()
  const [problem, setProblem] = useState<string>()
  // What is tried again belongs to the same bulk change.
  const [bulkId] = useState(createRandomId)
  const closing = useRef(new AbortController())
  useEffect(() => {
    const current = new AbortController()
    closing.current = current
    return () => current.abort()
  }, [])

  async function run(items: ReadyParcel[]): Promise<void> {
    if (progress) return
    const { signal } = closing.current
    setProblem(undefined)
    try {
      const { done, failed } = await runBulk({
        items,
        update: async (parcel) => {
          const { order, carrier, trackingNumber } = parcel
          const path = pathOf(apiRoutes.orderShipment, { id: order?.id ?? '' })
          await callServer('PUT', path, { carrier, trackingNumber, tellsCustomer, bulkId })
          return parcel
        },
        signal,
        onDone: () => {},
        onProgress: setProgress,
      })
      const rest = items.length - done.length
      const without = rest > 0 ? ` ${formatCount(rest)} do not have it yet.` : ''
      const saved = `${formatCount(done.length)} order(s) have tracking.${without}`
      if (done.length > 0) toast({ title: 'Tracking saved', description: saved })
      // What was saved is saved even if the lists cannot be refreshed now.
      refreshAll(queryClient).catch(() => {})
      void queryClient.invalidateQueries({ queryKey: [apiRoutes.bulkChanges] })
      if (signal.aborted) return
      if (failed.length === 0) return onSaved()
      setProblem(`${formatCount(failed.length)} could not be saved. Please try again.`)
      onPartlySaved()
    } catch (error) {
      if (!(error instanceof Error && handleUnauthorized(error))) throw error
    } finally {
      setProgress(undefined)
    }
  }

  return { progress, problem, run }
}
