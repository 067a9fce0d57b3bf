import { Check, Copy } from 'lucide-react'
import { useState } from 'react'

import { type AdminAccount, type Invite, inviteHours, type NewInvite } from '#contract/admin.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { formatDate } from '#web/admin/dates.ts'
import { useAdmin } from '#web/admin/session/session.ts'
import { LoadError } from '#web/admin/shell/page-states.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { LoopbackNotice } from '#web/admin/shell/loopback-notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useCopy } from '#web/ui/use-copy.ts'
import { toast } from '#web/ui/use-toast.ts'

import { useAccountCall, useAdmins, useInvites } from './account-calls.ts'
import { AccountForm, Badge, SectionPart } from './account-form.tsx'

export function PeopleSection() {
  return (
    <>
      <SectionPart title="Who can log in">
        <AdminList />
      </SectionPart>
      <SectionPart title="Invite somebody">
        <InvitePart />
      </SectionPart>
    </>
  )
}

type Change = { admin: AdminAccount; action: keyof typeof changeTexts }

const changeTexts = {
  disable: {
    path: apiRoutes.adminDisable,
    label: 'Disable',
    done: 'is disabled',
    description: 'They are logged out at once and cannot log in until somebody enables them again.',
  },
  enable: {
    path: apiRoutes.adminEnable,
    label: 'Enable',
    done: 'can log in again',
    description: 'They can log in again with their password.',
  },
  remove: {
    path: apiRoutes.adminRemove,
    label: 'Remove',
    done: 'is removed',
    description:
      'They are logged out at once. What they did stays in the log. This cannot be undone.',
  },
} as const

function AdminList() {
  const admins = useAdmins()
  const { admin: self } = useAdmin()
  const [change, setChange] = useState<Change>()

  if (admins.isPending) return <Skeleton className="h-28 w-full" />
  if (admins.isError) {
    return (
      <LoadError
        what="admins"
        isRetrying={admins.isFetching}
        onRetry={() => void admins.refetch()}
      />
    )
  }
  return (
    <>
      <ul className="divide-y divide-line rounded-xl border border-line bg-card">
        {admins.data.map((admin) => (
          <AdminItem
            key={admin.id}
            admin={admin}
            isSelf={admin.id === self?.id}
            onChange={(action) => setChange({ admin, action })}
          />
        ))}
      </ul>
      {change && <ChangeDialog change={change} onClose={() => setChange(undefined)} />}
    </>
  )
}

type AdminItemProps = {
  admin: AdminAccount
  isSelf: boolean
  onChange: (action: Change['action']) => void
}

function AdminItem({ admin, isSelf, onChange }: AdminItemProps) {
  const { username, email, isDisabled, hasSecondFactor, createdAt } = admin
  const actions = isSelf ? [] : ([isDisabled ? 'enable' : 'disable', 'remove'] as const)

  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 text-sm">
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium wrap-anywhere">
          <bdi>{username}</bdi>
          {isSelf && <Badge>You</Badge>}
          {isDisabled && <Badge>Disabled</Badge>}
          {hasSecondFactor && <Badge>Second factor</Badge>}
        </p>
        <p className="text-[0.8125rem] wrap-anywhere text-soft">
          <bdi>{email}</bdi>, since {formatDate(createdAt).day}
        </p>
      </div>
      <div className="flex gap-2">
        {actions.map((action) => (
          <Button
            key={action}
            aria-label={`${changeTexts[action].label} ${username}`}
            onClick={() => onChange(action)}
          >
            {changeTexts[action].label}
          </Button>
        ))}
      </div>
    </li>
  )
}

/** Who may sign in is changed with the password only: a borrowed session is not enough. */
function ChangeDialog({ change, onClose }: { change: Change; onClose: () => void }) {
  const { admin, action } = change
  const { path, label, done, description } = changeTexts[action]
  const call = useAccountCall({
    changes: [apiRoutes.admins, apiRoutes.auditLog],
    onSuccess: () => {
      toast({ title: `${admin.username} ${done}` })
      onClose()
    },
  })

  return (
    <Dialog
      title={`${label} ${admin.username}?`}
      description={description}
      onClose={onClose}
      className="max-w-md"
    >
      <AccountForm
        name="change of an admin"
        fields={[{ name: 'password', label: 'Your password', kind: 'password' }]}
        submitLabel={label}
        isPending={call.isPending}
        error={call.error}
        onSubmit={(body) =>
          call.mutate({ method: 'POST', path: pathOf(path, { id: admin.id }), body })
        }
      />
    </Dialog>
  )
}

function InvitePart() {
  const [created, setCreated] = useState<NewInvite>()
  const call = useAccountCall<NewInvite>({
    changes: [apiRoutes.invites],
    onSuccess: setCreated,
  })

  return (
    <>
      {created ? (
        <CreatedInvite invite={created} onDone={() => setCreated(undefined)} />
      ) : (
        <AccountForm
          name="invitation"
          fields={[
            { name: 'email', label: 'Their email address', kind: 'email' },
            { name: 'password', label: 'Your password', kind: 'password' },
          ]}
          submitLabel={call.isPending ? 'Making the link...' : 'Make an invitation link'}
          isPending={call.isPending}
          error={call.error}
          onSubmit={(body) => call.mutate({ method: 'POST', path: apiRoutes.invites, body })}
        >
          <p className="text-sm/6 text-soft">
            They choose their own name and password, and can then do everything that you can. The
            link works once, for {inviteHours} hours.
          </p>
        </AccountForm>
      )}
      <InviteList shownId={created?.id} />
    </>
  )
}

type CreatedInviteProps = { invite: NewInvite; onDone: () => void }

function CreatedInvite({ invite, onDone }: CreatedInviteProps) {
  const { isCopied, copy } = useCopy(invite.link)
  const Icon = isCopied ? Check : Copy
  const until = formatDate(invite.expiresAt)

  return (
    <div aria-live="polite" className="flex flex-col gap-4">
      <p className="text-sm/6">
        Send this link to <bdi className="font-medium">{invite.email}</bdi>. It is shown this one
        time and works once, until {until.day} {until.time}.
      </p>
      <LoopbackNotice link={invite.link} what="It works" />
      <code className="rounded-lg border border-line bg-well p-3 font-mono text-xs/5 wrap-anywhere">
        {invite.link}
      </code>
      <div className="flex flex-wrap gap-3">
        <Button look="primary" onClick={copy}>
          <Icon aria-hidden className="size-4" />
          Copy link
        </Button>
        <Button onClick={onDone}>Done</Button>
      </div>
    </div>
  )
}

function InviteList({ shownId }: { shownId: string | undefined }) {
  const invites = useInvites()
  const call = useAccountCall({
    changes: [apiRoutes.invites],
    onSuccess: () => toast({ title: 'Invitation withdrawn' }),
    hasToast: true,
  })
  const open = invites.data?.filter(({ id }) => id !== shownId) ?? []
  if (open.length === 0) return null

  return (
    <ul
      aria-label="Open invitations"
      className="mt-6 divide-y divide-line rounded-xl border border-line bg-card"
    >
      {open.map((invite) => (
        <InviteItem
          key={invite.id}
          invite={invite}
          isPending={call.isPending}
          onWithdraw={() =>
            call.mutate({ method: 'DELETE', path: pathOf(apiRoutes.invite, { id: invite.id }) })
          }
        />
      ))}
    </ul>
  )
}

type InviteItemProps = { invite: Invite; isPending: boolean; onWithdraw: () => void }

function InviteItem({ invite, isPending, onWithdraw }: InviteItemProps) {
  const until = formatDate(invite.expiresAt)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 text-sm">
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium wrap-anywhere">
          <bdi>{invite.email}</bdi>
          <Badge>Invited</Badge>
        </p>
        <p className="text-[0.8125rem] text-soft">
          The link works until {until.day} {until.time}
        </p>
      </div>
      <Button
        isPending={isPending}
        onClick={onWithdraw}
        aria-label={`Withdraw the invitation of ${invite.email}`}
      >
        Withdraw
      </Button>
    </li>
  )
}
