import type { Binaries } from './binaries.ts'
import type { UnprivilegedUser } from './unprivileged-user.ts'

/** One PostgreSQL data folder, and all that is needed to run it. */
export type Cluster = {
  /** Absolute and free of symlinks, so that two spellings of one folder cannot pass for two. */
  path: string
  /** As the user gave it, for sentences. */
  dataDir: string
  /** The folder in which a client finds the socket. */
  host: string
  binaries: Binaries
  user: UnprivilegedUser | undefined
  settings: Record<string, string>
  say: (line: string) => void
  log: (line: string) => void
}
