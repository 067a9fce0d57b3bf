import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { Link } from 'wouter'
import { navigate } from 'wouter/use-browser-location'

import type { RemovedTestData, TestData } from '#contract/orders.ts'
import { apiRoutes } from '#contract/paths.ts'
import { callServer, isUnauthorized, refusalCode, refusalText } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { PasswordField } from '#web/ui/fields.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/use-toast.ts'

import { refreshAll, testDataKey } from './order-queries.ts'
import { formatCount } from './order-text.ts'
import type { OrderNavigation } from './order-url.ts'

export function useTestData() {
  return useQuery<TestData>({ queryKey: testDataKey })
}

type TestOrdersProps = { testData: TestData | undefined; navigation: OrderNavigation }

/** A live shop hides what was made in test mode; this says so, shows it and removes it. */
export function TestOrders({ testData, navigation }: TestOrdersProps) {
  const [isAsking, setIsAsking] = useState(false)
  if (!testData || testData.mode === 'test' || testData.orders + testData.reviews === 0) return null
  const { showsTests } = navigation.url
  const count = formatTests(testData)
  const isOne = count.startsWith('1 ')

  return (
    <Notice look="warning" className="mt-7 items-center">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p>
          <strong className="font-semibold">
            {count} {isOne ? 'is' : 'are'} {showsTests ? 'shown' : 'hidden'}.
          </strong>{' '}
          No money was taken for {isOne ? 'it, and it is' : 'them, and they are'} in none of your
          figures.
        </p>
        <div className="flex flex-wrap gap-2">
          <Link
            href={navigation.hrefOf({ showsTests: !showsTests })}
            className="inline-flex h-9 items-center rounded-lg border border-line-strong/60 bg-card px-4 text-sm font-medium shadow-rest hover:border-line-strong hover:bg-well pointer-coarse:h-11"
          >
            {showsTests ? 'Hide' : 'Show'}
          </Link>
          <Button onClick={() => setIsAsking(true)}>Remove all test orders</Button>
        </div>
      </div>
      {isAsking && (
        <RemovalDialog
          testData={testData}
          navigation={navigation}
          onClose={() => setIsAsking(false)}
        />
      )}
    </Notice>
  )
}

/** '12 test orders'; without orders, the payments that wait for a decision. */
function formatTests({ orders, reviews }: Pick<TestData, 'orders' | 'reviews'>): string {
  const [count, thing] = orders > 0 ? [orders, 'order'] : [reviews, 'payment']
  return `${formatCount(count)} test ${thing}${count === 1 ? '' : 's'}`
}

type RemovalDialogProps = {
  testData: TestData
  navigation: OrderNavigation
  onClose: () => void
}

function RemovalDialog({ testData, navigation, onClose }: RemovalDialogProps) {
  const queryClient = useQueryClient()
  const [password, setPassword] = useState('')
  const [passwordError, setPasswordError] = useState<string>()
  const passwordInput = useRef<HTMLInputElement>(null)
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const answer = await callServer('POST', apiRoutes.removeTestData, { password })
      return (await answer.json()) as RemovedTestData
    },
    onSuccess: ({ orders, payments }) => {
      toast({
        title: 'Test orders removed',
        description: `${formatTests({ orders, reviews: payments })} removed, with payments, mails and figures.`,
      })
      onClose()
      if (navigation.url.showsTests) navigate(navigation.hrefOf({ showsTests: false }))
      // They are gone even if the lists cannot be loaded now.
      refreshAll(queryClient).catch(() => {})
    },
    onError: (error) => {
      if (isUnauthorized(error)) return
      if (refusalCode(error) === 'wrong-password')
        return refusePassword('This is not your password.')
      toast({
        title: 'Error',
        description:
          refusalText(error) ?? 'The test orders could not all be removed. Please try again.',
        variant: 'destructive',
      })
    },
  })

  function refusePassword(reason: string) {
    setPasswordError(reason)
    passwordInput.current?.focus()
  }

  function remove(event?: FormEvent) {
    event?.preventDefault()
    if (password === '') return refusePassword('Please enter your password.')
    if (!isPending) mutate()
  }

  return (
    <ConfirmDialog
      title={`Remove ${formatTests(testData)}?`}
      description="Their payments, mails, history and figures are removed as well. Real orders are not touched. This cannot be undone."
      keepLabel="Keep them"
      loseLabel="Remove"
      isPending={isPending}
      onKeep={onClose}
      onLose={remove}
    >
      <form noValidate onSubmit={remove} className="mt-4">
        <PasswordField
          ref={passwordInput}
          label="Your password"
          autoComplete="current-password"
          value={password}
          error={passwordError}
          onChange={({ target }) => {
            setPassword(target.value)
            setPasswordError(undefined)
          }}
        />
      </form>
    </ConfirmDialog>
  )
}
