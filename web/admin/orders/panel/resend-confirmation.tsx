import { useState } from 'react'

import { useResend } from '#web/admin/orders/order-queries.ts'
import { useOneAtATime } from '#web/admin/shell/use-one-at-a-time.ts'
import { isUnauthorized, refusalText } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/use-toast.ts'

import type { OrderProps } from './panel-parts.tsx'

/** Asks to which address the confirmation goes, and sends it once more. */
export function ResendConfirmation({ order }: OrderProps) {
  const { id, customerEmail, isTest } = order
  const [isAsking, setAsking] = useState(false)
  const resend = useResend(id)
  const send = useOneAtATime(async () => {
    await resend.mutateAsync()
    setAsking(false)
    toast({ title: 'Confirmation is being sent', description: customerEmail ?? '' })
  })
  if (!customerEmail || order.erasedAt) return null

  return (
    <>
      <Button
        size="small"
        onClick={() => {
          resend.reset()
          setAsking(true)
        }}
      >
        Resend confirmation
      </Button>
      {isAsking && (
        <ConfirmDialog
          title="Send the confirmation again?"
          description={
            isTest
              ? 'Mails of test orders go to the shop, never to a buyer.'
              : `It goes to ${customerEmail} and says how the order stands now.`
          }
          keepLabel="Cancel"
          loseLabel="Send again"
          look="primary"
          isPending={resend.isPending}
          onKeep={() => setAsking(false)}
          onLose={send}
        >
          {resend.error && !isUnauthorized(resend.error) && (
            <Notice look="danger" role="alert" className="mt-4">
              {refusalText(resend.error) ?? 'It could not be sent. Please try again.'}
            </Notice>
          )}
        </ConfirmDialog>
      )}
    </>
  )
}
