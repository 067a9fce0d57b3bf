import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder for one test. It goes with the folder of the whole run, when nobody writes into it any more. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'till-test-'))
}
