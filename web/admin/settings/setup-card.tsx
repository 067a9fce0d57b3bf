import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ChevronDown, ChevronUp, Circle, CircleCheck, LoaderCircle } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'

import type { SettingsPlace } from '#contract/admin.ts'
import { apiRoutes } from '#contract/paths.ts'
import type { Setup, SetupStep, SetupStepName } from '#contract/shop-settings.ts'
import { useSettingsPlace } from '#web/admin/shell/settings-place.ts'
import { callServer } from '#web/api.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'

const setupKey = [apiRoutes.setup]
/** While another machine is being asked. */
const checkAgainMs = 1_500

/** Looked at anew after each change, and whenever the page is opened. */
export function useSetup() {
  return useQuery<Setup>({
    queryKey: setupKey,
    refetchOnMount: 'always',
    refetchInterval: ({ state: { data } }) =>
      data?.steps.some(({ isChecking }) => isChecking) ? checkAgainMs : false,
  })
}

const titles: Record<SetupStepName, string> = {
  shop: 'Name your shop',
  password: 'Choose your password',
  product: 'Add a product',
  'test-order': 'Place a test order',
  sumup: 'Connect SumUp',
  address: 'Set the public address',
  mail: 'Send mails',
}

/** Steps that are done in a dialog, and what the button to it says. */
const placeOf: Partial<Record<SetupStepName, { place: SettingsPlace; action: string }>> = {
  shop: { place: 'shop', action: 'Name shop' },
  password: { place: 'account', action: 'Change password' },
  sumup: { place: 'sumup', action: 'Connect SumUp' },
  address: { place: 'address', action: 'Set address' },
  mail: { place: 'mail', action: 'Add mail server' },
}

type SetupCardProps = {
  setup: Setup
  onAddProduct: () => void
  /** The checkout of a product; undefined without one. */
  checkoutLink: string | undefined
}

/** What a new shop still needs, until all of it is done. */
export function SetupCard({ setup: { steps, isFolded }, ...actions }: SetupCardProps) {
  const fold = useFolding()
  if (steps.every(({ isDone }) => isDone)) return null
  const next = steps.find(({ isDone }) => !isDone)
  const done = steps.filter(({ isDone }) => isDone).length
  const Chevron = isFolded ? ChevronDown : ChevronUp

  return (
    <section
      aria-labelledby="setup-title"
      className="mt-6 rounded-2xl border border-line bg-card shadow-rest print:hidden"
    >
      <div className="flex items-center gap-3 py-2 ps-5 pe-3">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <h2 id="setup-title" className="text-[0.9375rem] font-semibold">
            Set up your shop
          </h2>
          <p className="text-sm text-muted">
            {done} of {steps.length} done
          </p>
        </div>
        <Button
          look="bare"
          size="small"
          className="ms-auto"
          aria-expanded={!isFolded}
          onClick={() => fold(!isFolded)}
        >
          {isFolded ? 'Show' : 'Hide'}
          <span className="sr-only"> the set-up</span>
          <Chevron aria-hidden className="size-4" />
        </Button>
      </div>
      {!isFolded && (
        <ol className="grid border-t border-line py-2 lg:grid-cols-2 lg:gap-x-6">
          {steps.map((step) => (
            <Step key={step.name} step={step} isNext={step === next} {...actions} />
          ))}
        </ol>
      )}
    </section>
  )
}

type StepProps = Omit<SetupCardProps, 'setup'> & { step: SetupStep; isNext: boolean }

function Step({ step, isNext, ...actions }: StepProps) {
  const { name, isDone, isChecking, text } = step
  const Icon = isDone ? CircleCheck : isChecking ? LoaderCircle : Circle

  return (
    <li className="flex gap-3 px-5 py-2">
      <Icon
        aria-hidden
        className={classNames(
          'mt-0.5 size-4.5 shrink-0',
          isDone ? 'text-completed' : 'text-muted',
          isChecking && 'motion-safe:animate-spin',
        )}
      />
      <div className="min-w-0 flex-1 text-sm/5">
        <p className={classNames('font-medium', isDone && 'text-soft')}>
          {titles[name]}
          <span className="sr-only">{isDone ? ': done' : ': to do'}</span>
        </p>
        {!isDone && <p className="text-[0.8125rem]/5 wrap-anywhere text-soft">{text}</p>}
      </div>
      {!isDone && <StepAction name={name} isNext={isNext} {...actions} />}
    </li>
  )
}

type StepActionProps = Omit<StepProps, 'step'> & { name: SetupStepName }

function StepAction({ name, isNext, onAddProduct, checkoutLink }: StepActionProps): ReactNode {
  const { hrefOf } = useSettingsPlace()
  const look = classNames('shrink-0', buttonClass(isNext ? 'primary' : 'secondary', 'small'))
  const target = placeOf[name]
  const nameOf = (word: string) => `${word}: ${titles[name]}`
  if (target)
    return (
      <Link href={hrefOf(target.place)} state={{ isOpenedHere: true }} className={look}>
        {target.action}
      </Link>
    )
  if (name === 'product')
    return (
      <Button
        look={isNext ? 'primary' : 'secondary'}
        size="small"
        className="shrink-0"
        aria-label={nameOf('Add')}
        onClick={onAddProduct}
      >
        Add
      </Button>
    )
  if (!checkoutLink) return null
  return (
    <a
      href={checkoutLink}
      target="_blank"
      rel="noopener"
      aria-label={nameOf('Buy')}
      className={look}
    >
      Buy
    </a>
  )
}

/** Folds the card at once; the server remembers it for this person in every browser. */
function useFolding(): (isFolded: boolean) => void {
  const queryClient = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: (isFolded: boolean) => callServer('PUT', apiRoutes.setupFolding, { isFolded }),
    onMutate: async (isFolded) => {
      await queryClient.cancelQueries({ queryKey: setupKey })
      queryClient.setQueryData<Setup>(setupKey, (setup) => setup && { ...setup, isFolded })
    },
  })
  return mutate
}
