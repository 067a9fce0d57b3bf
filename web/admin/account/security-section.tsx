import { Check, Copy, Download, Monitor } from 'lucide-react'
import { useMemo, useState } from 'react'

import type { AdminSession, OwnAccount, RecoveryCodes, SecondFactorOffer } from '#contract/admin.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { createQrCode } from '#contract/qr-code.ts'
import { formatDate } from '#web/admin/dates.ts'
import { LoadError } from '#web/admin/shell/page-states.tsx'
import { Button } from '#web/ui/button.tsx'
import { downloadFile } from '#web/ui/download-file.ts'
import { Notice } from '#web/ui/notice.tsx'
import { renderQrSvg } from '#web/ui/qr-code.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useCopy } from '#web/ui/use-copy.ts'
import { toast } from '#web/ui/use-toast.ts'

import { useAccountCall, useOwnAccount, useSessions } from './account-calls.ts'
import { AccountForm, Badge, SectionPart, type SectionProps } from './account-form.tsx'

export function SecuritySection({ onHold }: SectionProps) {
  const account = useOwnAccount()
  const [codes, setCodes] = useState<string[]>()

  if (codes) {
    const finish = () => {
      onHold(false)
      setCodes(undefined)
    }
    return <RecoveryCodeList codes={codes} onDone={finish} />
  }
  return (
    <>
      <SectionPart title="Second factor">
        {account.isPending ? (
          <Skeleton className="h-24 w-full" />
        ) : account.isError ? (
          <LoadError
            what="account settings"
            isRetrying={account.isFetching}
            onRetry={() => void account.refetch()}
          />
        ) : account.data.hasSecondFactor ? (
          <SecondFactorOff account={account.data} />
        ) : (
          <SecondFactorOn
            onConfirmed={({ recoveryCodes }) => {
              onHold(true)
              setCodes(recoveryCodes)
            }}
          />
        )}
      </SectionPart>
      <SectionPart title="Where you are logged in">
        <SessionList />
      </SectionPart>
    </>
  )
}

function SecondFactorOn({ onConfirmed }: { onConfirmed: (codes: RecoveryCodes) => void }) {
  const offer = useAccountCall<SecondFactorOffer>({ changes: [] })
  const confirmation = useAccountCall<RecoveryCodes>({
    changes: [apiRoutes.ownAccount, apiRoutes.adminSessions],
    onSuccess: onConfirmed,
  })

  if (offer.data) {
    return (
      <div className="grid gap-6 sm:grid-cols-[auto_minmax(0,1fr)]">
        <QrPicture uri={offer.data.uri} />
        <div className="flex flex-col gap-4">
          <p className="text-sm/6 text-soft">
            Scan this with an authenticator app, or type the key into it. Then enter the code that
            the app shows.
          </p>
          <SecretKey secret={offer.data.secret} />
          <AccountForm
            name="second factor confirmation"
            fields={[{ name: 'code', label: 'Code', kind: 'code' }]}
            submitLabel={confirmation.isPending ? 'Checking...' : 'Turn on'}
            isPending={confirmation.isPending}
            error={confirmation.error}
            onSubmit={(body) =>
              confirmation.mutate({ method: 'POST', path: apiRoutes.secondFactorConfirm, body })
            }
          />
        </div>
      </div>
    )
  }
  return (
    <AccountForm
      name="second factor"
      fields={[{ name: 'password', label: 'Your password', kind: 'password' }]}
      submitLabel="Set up second factor"
      isPending={offer.isPending}
      error={offer.error}
      onSubmit={(body) => offer.mutate({ method: 'POST', path: apiRoutes.secondFactor, body })}
    >
      <p className="text-sm/6 text-soft">
        Off. With it, logging in also asks for a code from your phone, so a stolen password is not
        enough.
      </p>
    </AccountForm>
  )
}

function QrPicture({ uri }: { uri: string }) {
  const svg = useMemo(() => renderQrSvg(createQrCode(uri)), [uri])
  return (
    <img
      src={`data:image/svg+xml,${encodeURIComponent(svg)}`}
      alt="QR code for your authenticator app"
      width={208}
      height={208}
      className="size-52 rounded-lg border border-line max-sm:mx-auto"
    />
  )
}

function SecretKey({ secret }: { secret: string }) {
  const { isCopied, copy } = useCopy(secret)
  const Icon = isCopied ? Check : Copy
  return (
    <div className="flex flex-wrap items-center gap-3">
      <code className="rounded-md bg-well px-2 py-1 font-mono text-[0.8125rem] wrap-anywhere">
        {secret.match(/.{1,4}/g)?.join(' ')}
      </code>
      <Button onClick={copy}>
        <Icon aria-hidden className="size-4" />
        Copy key
      </Button>
    </div>
  )
}

type RecoveryCodeListProps = { codes: string[]; onDone: () => void }

function RecoveryCodeList({ codes, onDone }: RecoveryCodeListProps) {
  const text = codes.join('\n')
  const { isCopied, copy } = useCopy(text)
  const Icon = isCopied ? Check : Copy

  return (
    <SectionPart title="Keep your recovery codes">
      <Notice look="warning" className="mb-4">
        The second factor is on. Each of these codes signs you in once when your phone is lost. They
        are shown this one time: print them, or keep them where you keep your passwords.
      </Notice>
      <ul
        aria-label="Recovery codes"
        className="grid gap-x-8 gap-y-2 rounded-lg border border-line bg-card p-4 font-mono text-sm sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-5 flex flex-wrap gap-3">
        <Button onClick={copy}>
          <Icon aria-hidden className="size-4" />
          Copy
        </Button>
        <Button
          onClick={() =>
            downloadFile(new Blob([`${text}\n`], { type: 'text/plain' }), 'recovery-codes.txt')
          }
        >
          <Download aria-hidden className="size-4" />
          Download
        </Button>
        <Button look="primary" onClick={onDone} className="ms-auto">
          I have kept them
        </Button>
      </div>
    </SectionPart>
  )
}

function SecondFactorOff({ account }: { account: OwnAccount }) {
  const { recoveryCodesLeft } = account
  const call = useAccountCall({
    changes: [apiRoutes.ownAccount],
    onSuccess: () => toast({ title: 'Second factor turned off' }),
  })

  return (
    <>
      <p className="text-sm/6 text-soft">
        <strong className="font-semibold text-ink">On.</strong> Logging in asks for a code from your
        app.{' '}
        {recoveryCodesLeft === 1 ? '1 recovery code is' : `${recoveryCodesLeft} recovery codes are`}{' '}
        left.
      </p>
      {recoveryCodesLeft <= 2 && (
        <Notice look="warning" className="mt-3">
          For new recovery codes, turn the second factor off and on again.
        </Notice>
      )}
      <details className="mt-3">
        <summary className="w-fit cursor-pointer rounded-md py-1.5 text-sm font-medium text-accent underline underline-offset-4">
          Turn it off
        </summary>
        <div className="mt-3">
          <AccountForm
            name="second factor off"
            look="secondary"
            fields={[
              { name: 'password', label: 'Your password', kind: 'password' },
              {
                name: 'code',
                label: 'Code',
                kind: 'code',
                hint: 'From your authenticator app, or a recovery code.',
              },
            ]}
            submitLabel="Turn off"
            isPending={call.isPending}
            error={call.error}
            onSubmit={(body) =>
              call.mutate({ method: 'POST', path: apiRoutes.secondFactorOff, body })
            }
          />
        </div>
      </details>
    </>
  )
}

function SessionList() {
  const sessions = useSessions()
  const call = useAccountCall({
    changes: [apiRoutes.adminSessions],
    onSuccess: () => toast({ title: 'Logged out' }),
    hasToast: true,
  })
  const end = (path: string) => call.mutate({ method: 'DELETE', path })

  if (sessions.isPending) return <Skeleton className="h-28 w-full" />
  if (sessions.isError) {
    return (
      <LoadError
        what="sessions"
        isRetrying={sessions.isFetching}
        onRetry={() => void sessions.refetch()}
      />
    )
  }
  return (
    <>
      <ul className="divide-y divide-line rounded-xl border border-line bg-card">
        {sessions.data.map((session) => (
          <SessionItem
            key={session.id}
            session={session}
            isPending={call.isPending}
            onEnd={() => end(pathOf(apiRoutes.adminSession, { id: session.id }))}
          />
        ))}
      </ul>
      {sessions.data.length > 1 && (
        <Button
          isPending={call.isPending}
          onClick={() => end(apiRoutes.adminSessions)}
          className="mt-4"
        >
          Log out everywhere else
        </Button>
      )}
    </>
  )
}

type SessionItemProps = { session: AdminSession; isPending: boolean; onEnd: () => void }

function SessionItem({ session, isPending, onEnd }: SessionItemProps) {
  const { browser, address, lastSeenAt, createdAt, isCurrent } = session
  const name = browser || 'Unknown browser'
  const seen = formatDate(lastSeenAt)
  const since = formatDate(createdAt)

  return (
    <li className="flex items-center gap-3 px-4 py-3 text-sm">
      <Monitor aria-hidden className="size-4.5 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <p className="font-medium">
          {name}
          {isCurrent && <Badge>This browser</Badge>}
        </p>
        <p className="text-[0.8125rem] text-soft">
          {address && `From ${address}. `}
          Last used {seen.day} {seen.time}, logged in {since.day} {since.time}
        </p>
      </div>
      {!isCurrent && (
        <Button isPending={isPending} onClick={onEnd} aria-label={`Log out ${name}`}>
          Log out
        </Button>
      )}
    </li>
  )
}
