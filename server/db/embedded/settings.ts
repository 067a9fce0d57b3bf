/** The superuser made by initdb. No password: only its owner can enter the folder of the socket. */
export const databaseUser = 'till'

/** Never listened on: with unix sockets the port is only part of the socket's name. */
export const databasePort = 5432

export const socketName = `.s.PGSQL.${databasePort}`

/** What our programs see of the environment: the same words and the same clock on every machine. */
export const plainEnvironment = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' }

/**
 * A shop on one small machine. Durability is left at PostgreSQL's defaults (fsync, synchronous_commit and
 * full_page_writes on): a paid order must survive a power cut.
 */
export const modestSettings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  port: String(databasePort),
  max_connections: '100',
  shared_buffers: '64MB',
  // Reading in the backend itself: the three I/O workers cost memory and win nothing at this size.
  io_method: 'sync',
  // Nobody replicates from here: one process less, and fewer slots.
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  jit: 'off',
  // Parallel plans want /dev/shm, which containers keep tiny.
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_line_prefix: '[%p] ',
}
