import { Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'

import { maxNoteLength, type OrderNote } from '#contract/orders.ts'
import { DateTime } from '#web/admin/orders/order-display.tsx'
import { useNotes } from '#web/admin/orders/order-queries.ts'
import { forgetForm, useKeepDraft, useKeptDraft } from '#web/admin/session/kept-drafts.ts'
import { useOneAtATime } from '#web/admin/shell/use-one-at-a-time.ts'
import { isUnauthorized, refusalText } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { TextAreaField } from '#web/ui/fields.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { RetryNotice } from '#web/ui/retry-notice.tsx'

import { type OrderProps, Section } from './panel-parts.tsx'

/** What admins write for themselves. */
export function NotesSection({ order }: OrderProps) {
  const { notes, change } = useNotes(order.id)
  const [deleted, setDeleted] = useState<OrderNote>()
  const remove = useOneAtATime(async (noteId: string) => {
    await change.mutateAsync({ noteId })
    setDeleted(undefined)
  })

  return (
    // Not for who opens the parcel.
    <Section title="Notes" className="print:hidden">
      {notes.isError && (
        <RetryNotice
          isFetching={notes.isFetching}
          onRetry={() => void notes.refetch()}
          className="mb-3"
        >
          The notes could not be loaded.
        </RetryNotice>
      )}
      <ul className="flex flex-col gap-3 empty:hidden">
        {notes.data?.map((note) => (
          <li key={note.id} className="flex items-start gap-1">
            <div className="me-auto min-w-0">
              <p className="whitespace-pre-wrap wrap-anywhere">
                <bdi>{note.text}</bdi>
              </p>
              <p className="text-[0.8125rem]/5 text-muted">
                <DateTime at={note.at} />
                {' · '}
                <bdi>{note.who}</bdi>
              </p>
            </div>
            <IconButton
              size="smallIcon"
              icon={Trash2}
              name="Delete note"
              onClick={() => {
                change.reset()
                setDeleted(note)
              }}
              className="-my-1 text-muted [&>svg]:size-3.5"
            />
          </li>
        ))}
      </ul>
      {!order.erasedAt && <NewNote orderId={order.id} change={change} />}
      {deleted && (
        <ConfirmDialog
          title="Delete this note?"
          description={`“${deleted.text.slice(0, 100)}${deleted.text.length > 100 ? '…' : ''}” cannot be brought back.`}
          keepLabel="Keep it"
          loseLabel="Delete note"
          isPending={change.isPending}
          onKeep={() => setDeleted(undefined)}
          onLose={() => remove(deleted.id)}
        >
          <ChangeError error={change.error} />
        </ConfirmDialog>
      )}
    </Section>
  )
}

type NewNoteProps = { orderId: string; change: ReturnType<typeof useNotes>['change'] }

function NewNote({ orderId, change }: NewNoteProps) {
  const opener = `order=${orderId}`
  const draft: { text?: string } | undefined = useKeptDraft(opener)
  const [text, setText] = useState(draft?.text ?? '')
  const isUnsaved = text.trim() !== ''
  useKeepDraft({ name: opener, opener, isUnsaved, read: () => ({ text }), canUndo: true })

  const add = useOneAtATime(async () => {
    await change.mutateAsync({ text })
    forgetForm(opener)
    // What was typed meanwhile stays.
    setText((now) => (now === text ? '' : now))
  })

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (isUnsaved) add()
  }

  return (
    <form
      noValidate
      onSubmit={submit}
      className="mt-2 flex flex-col items-start gap-2 print:hidden"
    >
      <TextAreaField
        label="New note"
        hint="Only admins see it."
        rows={2}
        maxLength={maxNoteLength}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="w-full"
      />
      <Button type="submit" size="small" isPending={change.isPending}>
        Add note
      </Button>
      {change.variables && 'text' in change.variables && <ChangeError error={change.error} />}
    </form>
  )
}

function ChangeError({ error }: { error: Error | null }) {
  if (!error || isUnauthorized(error)) return null
  return (
    <Notice look="danger" role="alert" className="mt-3">
      {refusalText(error) ?? 'The note could not be saved. Please try again.'}
    </Notice>
  )
}
