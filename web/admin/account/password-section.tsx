import { useState } from 'react'

import type { AdminUser } from '#contract/admin.ts'
import { apiRoutes } from '#contract/paths.ts'
import { useAdmin } from '#web/admin/session/session.ts'
import { toast } from '#web/ui/use-toast.ts'

import { useAccountCall } from './account-calls.ts'
import { AccountForm, passwordHint, SectionPart } from './account-form.tsx'

export function PasswordSection() {
  const { admin } = useAdmin()
  const [changes, setChanges] = useState(0)
  const call = useAccountCall({
    changes: [apiRoutes.adminSessions, apiRoutes.notices],
    onSuccess: () => {
      toast({ title: 'Password changed', description: 'Other browsers were logged out.' })
      setChanges(changes + 1)
    },
  })

  return (
    <>
      <SectionPart title="Your account">
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1 text-sm">
          <dt className="text-soft">Username</dt>
          <dd className="wrap-anywhere">
            <bdi>{admin?.username}</bdi>
          </dd>
          <dt className="text-soft">Email</dt>
          <dd className="wrap-anywhere">
            <bdi>{admin?.email}</bdi>
          </dd>
        </dl>
      </SectionPart>
      <SectionPart title="Change your password">
        <AccountForm
          name="own password"
          // Empty again after a change.
          key={changes}
          fields={[
            { name: 'currentPassword', label: 'Current password', kind: 'password' },
            {
              name: 'newPassword',
              label: 'New password',
              kind: 'new-password',
              hint: passwordHint,
            },
          ]}
          submitLabel={call.isPending ? 'Changing...' : 'Change password'}
          isPending={call.isPending}
          error={call.error}
          onSubmit={(body) => call.mutate({ method: 'PUT', path: apiRoutes.ownPassword, body })}
        />
      </SectionPart>
      <SectionPart title="Change your email address">
        <EmailForm />
      </SectionPart>
    </>
  )
}

function EmailForm() {
  const [changes, setChanges] = useState(0)
  const call = useAccountCall<AdminUser>({
    changes: [apiRoutes.adminUser, apiRoutes.ownAccount, apiRoutes.admins, apiRoutes.setup],
    onSuccess: ({ email }) => {
      toast({ title: 'Email address changed', description: `It is ${email} now.` })
      setChanges(changes + 1)
    },
  })

  return (
    <AccountForm
      name="own email address"
      key={changes}
      fields={[
        {
          name: 'email',
          label: 'New email address',
          kind: 'email',
          hint: 'Test mails go there, and you can log in with it.',
        },
        { name: 'password', label: 'Your password', kind: 'password' },
      ]}
      submitLabel={call.isPending ? 'Changing...' : 'Change email address'}
      isPending={call.isPending}
      error={call.error}
      look="secondary"
      onSubmit={(body) => call.mutate({ method: 'PUT', path: apiRoutes.ownEmail, body })}
    />
  )
}
