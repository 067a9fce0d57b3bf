import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { FaultPlan, FaultReport } from '#sandbox/faults.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'

const program = join(import.meta.dirname, '..', 'sandbox', 'main.ts')

/** Sooner than SumUp's minutes and hours, so that a proof sees a webhook come again. */
const webhookDelaysMs = [500, 1_000, 2_000, 4_000]

export type Sumup = Awaited<ReturnType<typeof startSumup>>

/** SumUp's stand-in as a process of its own, with its books and its faults in our hand. */
export async function startSumup(folder: string) {
  const child = fork(program, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      PORT: '0',
      STATE_FILE: join(folder, 'sumup.jsonl'),
      WEBHOOK_DELAYS_MS: webhookDelaysMs.join(','),
    },
  })
  const ended = once(child, 'exit')
  const early = ended.then(() => Promise.reject(new Error('SumUp’s stand-in did not start')))
  const [account] = (await Promise.race([once(child, 'message'), early])) as [
    { url: string; apiKey: string; merchantCode: string; sdkUrl: string },
  ]
  early.catch(() => {})

  async function ask(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await fetch(`${account.url}/sandbox/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${account.apiKey}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const { status } = answer
    if (!answer.ok)
      throw new Error(`SumUp’s stand-in: ${status} ${await answer.text()}`, { cause: status })
    return answer.status === 204 ? undefined : answer.json()
  }

  return {
    account,
    books: async () => (await ask('GET', 'ledger')) as ReturnType<Sandbox['ledger']>,
    setFaults: (plan: FaultPlan) => ask('POST', 'faults', plan),
    faults: async () => (await ask('GET', 'faults')) as FaultReport,
    /** What happens outside of the API's calls, by the names in sandbox/README.md. */
    control: (name: string, input: object) => ask('POST', name, input),
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
