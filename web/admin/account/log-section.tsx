import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { type AuditAction, auditActions, type AuditEntry, type AuditPage } from '#contract/audit.ts'
import { apiRoutes } from '#contract/paths.ts'
import { formatDate } from '#web/admin/dates.ts'
import { LoadError } from '#web/admin/shell/page-states.tsx'
import { callServer, formatQuery } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { SelectField } from '#web/ui/fields.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

import { useAdmins } from './account-calls.ts'
import { actionLabels, describeEntry } from './audit-text.ts'

const pageSize = '30'

type Filter = {
  adminId?: string | undefined
  action?: AuditAction | undefined
  /** The id of the entry whose parts are listed. */
  partOf?: string
}

/** Who did what, newest first. */
export function LogSection() {
  const [filter, setFilter] = useState<Filter>({})
  const admins = useAdmins()

  return (
    <>
      <div className="mb-5 grid gap-4 sm:grid-cols-2">
        <SelectField
          label="Who"
          value={filter.adminId ?? ''}
          onChange={(event) => setFilter({ ...filter, adminId: event.target.value || undefined })}
        >
          <option value="">Everybody</option>
          {admins.data?.map(({ id, username }) => (
            <option key={id} value={id}>
              {username}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="What"
          value={filter.action ?? ''}
          onChange={(event) => {
            const action = auditActions.find((known) => known === event.target.value)
            setFilter({ ...filter, action })
          }}
        >
          <option value="">Everything</option>
          {auditActions.map((action) => (
            <option key={action} value={action}>
              {actionLabels[action]}
            </option>
          ))}
        </SelectField>
      </div>
      <EntryList name="Log" filter={filter} />
    </>
  )
}

function EntryList({ name, filter }: { name: string; filter: Filter }) {
  const log = useAuditLog(filter)
  if (log.isPending) return <Skeleton className="h-72 w-full" />
  if (log.isError && !log.data) {
    return (
      <LoadError
        what="log entries"
        isRetrying={log.isFetching}
        onRetry={() => void log.refetch()}
      />
    )
  }
  const entries = log.data.pages.flatMap((page) => page.entries)
  if (entries.length === 0) {
    return <p className="py-8 text-center text-sm text-soft">There is no such entry.</p>
  }
  return (
    <>
      <ol aria-label={name} className="divide-y divide-line rounded-xl border border-line bg-card">
        {entries.map((entry) => (
          <EntryItem key={entry.id} entry={entry} />
        ))}
      </ol>
      {log.isFetchNextPageError && (
        <p role="alert" className="mt-3 text-sm text-danger">
          Earlier entries could not be loaded. Please try again.
        </p>
      )}
      {log.hasNextPage && (
        <Button
          isPending={log.isFetchingNextPage}
          onClick={() => void log.fetchNextPage()}
          className="mt-4"
        >
          Show earlier entries
        </Button>
      )}
    </>
  )
}

function EntryItem({ entry }: { entry: AuditEntry }) {
  const { who, what } = describeEntry(entry)
  const { day, time } = formatDate(entry.lastAt)
  const isBulkChange = entry.action === 'bulk-change' || entry.action === 'bulk-change-undone'

  return (
    <li className="px-4 py-2.5 text-sm">
      <div className="sm:flex sm:items-baseline sm:gap-4">
        <p className="min-w-0 flex-1 wrap-anywhere">
          <bdi className="font-medium">{who}</bdi> <bdi>{what}</bdi>
        </p>
        <p className="shrink-0 text-[0.8125rem] text-soft sm:text-end">
          <time dateTime={entry.lastAt}>
            {day} {time}
          </time>
          {entry.address && <span className="ms-2 sm:ms-0 sm:block">{entry.address}</span>}
        </p>
      </div>
      {isBulkChange && <ChangedOrders id={entry.id} />}
    </li>
  )
}

function ChangedOrders({ id }: { id: string }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button
        look="bare"
        size="small"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="-ms-3"
      >
        {isOpen ? 'Hide orders' : 'Show orders'}
      </Button>
      {isOpen && (
        <div className="mt-1 mb-2">
          <EntryList name="Orders of this change" filter={{ partOf: id }} />
        </div>
      )}
    </>
  )
}

function useAuditLog(filter: Filter) {
  return useInfiniteQuery({
    queryKey: [apiRoutes.auditLog, filter],
    queryFn: async ({ pageParam, signal }) => {
      const query = formatQuery({ ...filter, cursor: pageParam, limit: pageSize })
      const response = await callServer('GET', `${apiRoutes.auditLog}${query}`, undefined, signal)
      return (await response.json()) as AuditPage
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: 0,
  })
}
