import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestServer } from '#tools/test-server.ts'

const program = join(import.meta.dirname, '..', 'sale-model.test.ts')

/** The model test with as many stories as one has time for. */
export async function proveModel(runs: number): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'till-proof-'))
  const server = await startTestServer(folder)
  try {
    const args = ['--test-reporter=spec', program, '--runs', String(runs)]
    const child = spawn(process.execPath, args, { stdio: 'inherit' })
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill())
    const [code] = await once(child, 'exit')
    return code === 0
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
